"""psycopg2 as its documentation shows it: consume_stream, and send_feedback after each commit. Connected again after an error.

It hands over payloads; the decoder here knows protocol 1.
"""

import json
import os
import signal
import struct
import sys
import time

import psycopg2
from psycopg2.extras import LogicalReplicationConnection, StopReplication

STATE = os.environ["STATE_FILE"]
UNCHANGED = object()


class Tables:
    def __init__(self):
        self.relations = {}
        self.transaction = []
        try:
            with open(STATE, encoding="utf-8") as file:
                self.rows = json.load(file)
        except FileNotFoundError:
            self.rows = {}

    def save(self):
        with open(STATE + ".new", "w", encoding="utf-8") as file:
            json.dump(self.rows, file)
        os.replace(STATE + ".new", STATE)

    def take(self, table, key):
        rows = self.rows.setdefault(table, [])
        for index, row in enumerate(rows):
            if all(row.get(name) == value for name, value in key.items()):
                return rows.pop(index)
        return {}

    def put(self, table, row, values):
        changed = {name: value for name, value in values.items() if value is not UNCHANGED}
        self.rows.setdefault(table, []).append({**row, **changed})

    def apply(self, payload):
        kind = payload[:1]
        if kind == b"R":
            self.describe(payload)
        elif kind == b"B":
            self.transaction = []
        elif kind in (b"I", b"U", b"D"):
            self.transaction.append(self.change(kind, payload))
        elif kind == b"T":
            (count,) = struct.unpack_from(">I", payload, 1)
            names = [self.relations[oid][0] for oid in struct.unpack_from(f">{count}I", payload, 6)]
            self.transaction.append(lambda: self.rows.update({name: [] for name in names}))
        elif kind == b"C":
            # A transaction that ends at this position, or before, may come again.
            (end,) = struct.unpack_from(">Q", payload, 10)
            if end > self.rows.get("$applied", 0):
                for change in self.transaction:
                    change()
                self.rows["$applied"] = end
        return kind == b"C"

    def describe(self, payload):
        (oid,) = struct.unpack_from(">I", payload, 1)
        schema, name, rest = payload[5:].split(b"\0", 2)
        (count,) = struct.unpack_from(">H", rest, 1)
        columns, at = [], 3
        for _ in range(count):
            end = rest.index(b"\0", at + 1)
            columns.append((rest[at + 1 : end].decode(), rest[at] & 1 == 1))
            at = end + 9
        self.relations[oid] = (f"{schema.decode()}.{name.decode()}", columns)

    def change(self, kind, payload):
        (oid,) = struct.unpack_from(">I", payload, 1)
        table, columns = self.relations[oid]
        tuples, at = {}, 5
        while at < len(payload):
            marker, at = payload[at : at + 1], at + 1
            tuples[marker], at = read_tuple(payload, at, columns)
        keys = [name for name, is_key in columns if is_key]
        new = tuples.get(b"N")
        key = None
        if kind != b"I":
            key = tuples.get(b"O") or {name: tuples.get(b"K", new)[name] for name in keys}

        def change():
            row = {} if key is None else self.take(table, key)
            if new is not None:
                self.put(table, row, new)

        return change


def read_tuple(payload, at, columns):
    (count,) = struct.unpack_from(">H", payload, at)
    at += 2
    values = {}
    for name, _ in columns[:count]:
        kind, at = payload[at : at + 1], at + 1
        values[name] = None if kind == b"n" else UNCHANGED
        if kind == b"t":
            (length,) = struct.unpack_from(">I", payload, at)
            values[name] = payload[at + 4 : at + 4 + length].decode(errors="replace")
            at += 4 + length
    return values, at


tables = Tables()
stopped = False


def stop(_signal, _frame):
    global stopped
    stopped = True
    raise StopReplication()


def consume(message):
    if tables.apply(message.payload):
        tables.save()
        # The header of a Commit is where the transaction ends.
        message.cursor.send_feedback(flush_lsn=message.data_start)


signal.signal(signal.SIGTERM, stop)
while not stopped:
    try:
        connection = psycopg2.connect(os.environ["DATABASE_URL"], connection_factory=LogicalReplicationConnection)
        cursor = connection.cursor()
        options = {"proto_version": "1", "publication_names": "cdc_pub"}
        try:
            cursor.start_replication(slot_name="cdc_slot", options=options, decode=False, status_interval=1)
        except psycopg2.errors.UndefinedObject:
            cursor.create_replication_slot("cdc_slot", output_plugin="pgoutput")
            cursor.start_replication(slot_name="cdc_slot", options=options, decode=False, status_interval=1)
        cursor.consume_stream(consume, keepalive_interval=1)
    except StopReplication:
        break
    except Exception as error:
        print(f"{type(error).__name__}: {error}".strip(), file=sys.stderr, flush=True)
        time.sleep(0.1)
