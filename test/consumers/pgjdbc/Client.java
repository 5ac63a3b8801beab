import java.net.URI;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/** Client URL SLOT PUBLICATION: makes the slot, prints each payload in hex and confirms each transaction. */
class Client {
  public static void main(String[] args) throws SQLException {
    URI url = URI.create(args[0]);
    Properties properties = new Properties();
    PGProperty.USER.set(properties, url.getUserInfo());
    PGProperty.REPLICATION.set(properties, "database");
    PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "9.4");
    PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
    String address = "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath();
    Connection connection = DriverManager.getConnection(address, properties);
    var replication = connection.unwrap(PGConnection.class).getReplicationAPI();
    replication.createReplicationSlot().logical().withSlotName(args[1]).withOutputPlugin("pgoutput").make();
    PGReplicationStream stream =
        replication
            .replicationStream()
            .logical()
            .withSlotName(args[1])
            .withSlotOption("proto_version", "1")
            .withSlotOption("publication_names", args[2])
            .withSlotOption("messages", "true")
            .start();
    try {
      for (;;) {
        ByteBuffer buffer = stream.read();
        byte[] payload = new byte[buffer.remaining()];
        buffer.get(payload);
        System.out.println(HexFormat.of().formatHex(payload));
        if (payload[0] != 'C') continue;
        // The header of a Commit is where the transaction ends.
        LogSequenceNumber end = stream.getLastReceiveLSN();
        stream.setAppliedLSN(end);
        stream.setFlushedLSN(end);
        stream.forceUpdateStatus();
      }
    } catch (SQLException error) {
      // The server ends the connection once everything has been confirmed.
      System.err.println(error.getMessage());
    }
  }
}
