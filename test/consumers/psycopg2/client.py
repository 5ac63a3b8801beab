"""client.py URL SLOT PUBLICATION: makes the slot, prints each payload in hex and confirms each transaction."""

import sys

import psycopg2
from psycopg2.extras import LogicalReplicationConnection

url, slot, publication = sys.argv[1:]


def take(message):
    print(message.payload.hex(), flush=True)
    if message.payload.startswith(b"C"):
        # The header of a Commit is where the transaction ends.
        message.cursor.send_feedback(flush_lsn=message.data_start, force=True)


connection = psycopg2.connect(url, connection_factory=LogicalReplicationConnection)
cursor = connection.cursor()
cursor.create_replication_slot(slot, output_plugin="pgoutput")
options = {"proto_version": "1", "publication_names": publication, "messages": "true"}
cursor.start_replication(slot_name=slot, options=options, decode=False)
try:
    cursor.consume_stream(take)
except (psycopg2.OperationalError, psycopg2.DatabaseError) as error:
    # The server ends the connection once everything has been confirmed.
    print(error, file=sys.stderr)
