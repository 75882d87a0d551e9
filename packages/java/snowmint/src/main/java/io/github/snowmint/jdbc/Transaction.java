package io.github.snowmint.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** A transaction in progress. The native side calls its methods, and knows them by their names. */
final class Transaction {
  private final Connection connection;
  private final Dialect dialect;
  private final List<String> last = new ArrayList<>();

  Transaction(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /** Runs a statement. Returns its rows, of which each is an array of strings and nulls. */
  Object[] rows(String text, Object[] values) throws SQLException {
    try (PreparedStatement statement = prepare(text, values)) {
      return statement.execute() ? read(statement.getResultSet()) : new Object[0];
    }
  }

  /**
   * Runs a statement. Returns how many rows it changed or returned, or 0 if it inserts a row whose
   * key is there.
   */
  long change(String text, Object[] values) throws SQLException {
    try (PreparedStatement statement = prepare(text, values)) {
      return statement.execute()
          ? read(statement.getResultSet()).length
          : statement.getUpdateCount();
    } catch (SQLException failure) {
      if (Fault.isDuplicate(failure)) {
        return 0;
      }
      throw failure;
    }
  }

  /** Notes a statement to be run once the transaction is over. */
  void atEnd(String text) {
    last.add(text);
  }

  /** Fails as a statement does on tables that are missing. */
  void withoutTables() {
    throw Fault.noTables(dialect);
  }

  /** Runs what is left to do once the transaction is over. */
  void runLast() throws SQLException {
    for (String text : last) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(text);
      }
    }
  }

  private PreparedStatement prepare(String text, Object[] values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      for (int n = 0; n < values.length; n++) {
        bind(statement, n + 1, values[n]);
      }
      return statement;
    } catch (SQLException | RuntimeException failure) {
      statement.close();
      throw failure;
    }
  }

  private static void bind(PreparedStatement statement, int at, Object value)
      throws SQLException {
    if (value instanceof long[] number) {
      statement.setLong(at, number[0]);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(at, bytes);
    } else if (value instanceof String string) {
      statement.setString(at, string);
    } else {
      statement.setNull(at, Types.NULL); // The statement determines the type.
    }
  }

  private static Object[] read(ResultSet rows) throws SQLException {
    int count = rows.getMetaData().getColumnCount();
    boolean[] areBytes = new boolean[count];
    for (int n = 0; n < count; n++) {
      int type = rows.getMetaData().getColumnType(n + 1);
      areBytes[n] = type == Types.BINARY || type == Types.VARBINARY || type == Types.LONGVARBINARY;
    }
    List<Object> found = new ArrayList<>();
    while (rows.next()) {
      String[] row = new String[count];
      for (int n = 0; n < count; n++) {
        row[n] = areBytes[n] ? text(rows.getBytes(n + 1)) : rows.getString(n + 1);
      }
      found.add(row);
    }
    return found.toArray();
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
