package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;

/**
 * A check for drivers that run a transaction again on another connection when theirs breaks. They
 * answer with the rows that the first one read, but others may have committed the same range
 * meanwhile. MariaDB Connector/J does so with {@code transactionReplay=true}.
 */
final class Replays {
  private static final Pattern ASKED_FOR =
      Pattern.compile("[?&]transactionReplay=(true|1)(&|$)", Pattern.CASE_INSENSITIVE);

  private Replays() {}

  /** Refuses a driver whose URL, which also names its properties, requests it. */
  static void refuse(Connection connection) throws SQLException {
    String url = String.valueOf(connection.getMetaData().getURL());
    if (ASKED_FOR.matcher(url).find()) {
      throw new SnowmintException(
          Code.UNSAFE_SETTING,
          "transactionReplay=true has the driver run a transaction again on another connection, and"
              + " what it then commits is not what it answered: give the store a DataSource without"
              + " it");
    }
  }

  /** Returns the server's ID of a connection. */
  static long connectionId(Connection connection) throws SQLException {
    try (Statement plain = connection.createStatement();
        ResultSet found = plain.executeQuery("SELECT connection_id()")) {
      found.next();
      return found.getLong(1);
    }
  }
}
