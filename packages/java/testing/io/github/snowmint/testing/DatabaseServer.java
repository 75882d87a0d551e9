package io.github.snowmint.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A database server of the test's own, run by {@code scripts/servers} until it is closed. */
public final class DatabaseServer implements AutoCloseable {
  private final Process script;
  private final String driver;
  private final String authority;

  private DatabaseServer(String server, String... settings) throws IOException {
    List<String> command = new ArrayList<>(List.of(script(), "run", server));
    command.addAll(List.of(settings));
    script = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String url = script.inputReader().readLine();
    if (url == null) {
      throw new IOException("no server by " + command);
    }
    driver = server.equals("postgres") ? "postgresql" : server;
    authority = url.replaceFirst("^.*@", "").replaceFirst("/.*$", "");
  }

  /** A PostgreSQL with settings, {@code name=value}; it has the database {@code postgres}. */
  public static DatabaseServer postgres(String... settings) throws Exception {
    return new DatabaseServer("postgres", settings);
  }

  /** A MariaDB without a database. */
  public static DatabaseServer mariadb() throws Exception {
    return new DatabaseServer("mariadb");
  }

  /** A new connection. */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database));
  }

  /** Runs statements, each of its own. */
  public void execute(String database, String... statements) throws SQLException {
    try (Connection connection = connect(database);
        Statement plain = connection.createStatement()) {
      for (String statement : statements) {
        plain.execute(statement);
      }
    }
  }

  /** Of the repository that the module is in. */
  private static String script() throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.isExecutable(folder.resolve("scripts/servers"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IOException("no scripts/servers above " + Path.of("").toAbsolutePath());
    }
    return folder.resolve("scripts/servers").toString();
  }

  /** How a driver finds a database. */
  public String url(String database) {
    boolean isPostgres = driver.equals("postgresql");
    String name = database.isEmpty() && isPostgres ? "postgres" : database;
    String user = isPostgres ? "?user=postgres" : "?user=root&sslMode=disable";
    return "jdbc:" + driver + "://" + authority + "/" + name + user;
  }

  /** How a source finds it. */
  public String sourceUrl(String database) {
    return driver.equals("postgresql")
        ? "postgres://postgres@" + authority + "/" + database + "?sslmode=disable"
        : "mysql://root@" + authority + "/" + database + "?ssl-mode=disabled";
  }

  @Override
  public void close() throws IOException {
    script.getOutputStream().close();
    script.onExit().join();
  }
}
