package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A statement from a {@code .sql} file, with named parameters. */
final class Statement {
  private final String text;
  private final List<String> names;

  private Statement(String text, List<String> names) {
    this.text = text;
    this.names = names;
  }

  /** Reads a file by its folder and name. */
  static Statement read(String folder, String name) {
    return parse(text(folder, name));
  }

  /** Returns the statements of a schema, which are separated by blank lines. */
  static List<String> schema(String folder) {
    List<String> statements = new ArrayList<>();
    for (String part : text(folder, "schema").split("\n\n")) {
      String statement = part.replaceAll("(?m)^--.*$", "").strip();
      if (!statement.isEmpty()) {
        statements.add(statement);
      }
    }
    return statements;
  }

  private static String text(String folder, String name) {
    String resource = folder + "/" + name + ".sql";
    try (InputStream file = Statement.class.getResourceAsStream(resource)) {
      if (file == null) {
        throw new SnowmintException(Code.INTERNAL, "the jar has no " + resource);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new SnowmintException(Code.INTERNAL, "the jar's " + resource, failure);
    }
  }

  /** Puts a question mark in place of each {@code :name} outside of quotes and comments. */
  static Statement parse(String sql) {
    StringBuilder text = new StringBuilder(sql.length());
    List<String> names = new ArrayList<>();
    for (String line : sql.split("\n")) {
      String code = line.stripLeading().startsWith("--") ? "" : line;
      boolean quoted = false;
      for (int at = 0; at < code.length(); at++) {
        char symbol = code.charAt(at);
        quoted ^= symbol == '\'';
        int end = at + 1;
        while (end < code.length() && Character.isJavaIdentifierPart(code.charAt(end))) {
          end++;
        }
        if (symbol == ':' && !quoted && end > at + 1) {
          names.add(code.substring(at + 1, end));
          text.append('?');
          at = end - 1;
        } else {
          text.append(symbol);
        }
      }
      text.append('\n');
    }
    return new Statement(text.toString(), names);
  }

  /** Reads a value from a row. */
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Returns the rows of a query, or of a change that returns them. */
  <T> List<T> query(Connection connection, Map<String, ?> values, Reader<T> reader)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, values);
        ResultSet rows = statement.executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(reader.read(rows));
      }
      return found;
    }
  }

  /** Returns the number of rows that a change affects. */
  int update(Connection connection, Map<String, ?> values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, values)) {
      return statement.executeUpdate();
    }
  }

  /** Runs a statement and ignores its result. */
  void execute(Connection connection, Map<String, ?> values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, values)) {
      statement.execute();
    }
  }

  private PreparedStatement prepare(Connection connection, Map<String, ?> values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      for (int n = 0; n < names.size(); n++) {
        bind(statement, n + 1, values.get(names.get(n)));
      }
      return statement;
    } catch (SQLException | RuntimeException failure) {
      statement.close();
      throw failure;
    }
  }

  private static void bind(PreparedStatement statement, int at, Object value)
      throws SQLException {
    if (value instanceof Long number) {
      statement.setLong(at, number);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(at, bytes);
    } else if (value instanceof String string) {
      statement.setString(at, string);
    } else {
      statement.setNull(at, Types.NULL); // The statement determines the type.
    }
  }
}
