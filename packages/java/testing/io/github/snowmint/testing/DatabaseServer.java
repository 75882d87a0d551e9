package io.github.snowmint.testing;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
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
    List<String> command = new ArrayList<>(List.of(file("scripts/servers").toString(), "run", server));
    command.addAll(List.of(settings));
    script = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String url = script.inputReader().readLine();
    if (url == null) {
      throw new IOException("no server by " + command);
    }
    driver = server.equals("postgres") ? "postgresql" : server;
    authority = url.replaceFirst("^.*(@|//)", "").replaceFirst("/.*$", "");
  }

  private DatabaseServer(Process script, String driver, String authority) {
    this.script = script;
    this.driver = driver;
    this.authority = authority;
  }

  /** A standby of a PostgreSQL, {@code copy} by name, which follows it. */
  public static DatabaseServer standbyOf(DatabaseServer primary) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      // PostgreSQL refuses to be root's.
      command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres"));
      command.addAll(List.of("--clear-groups", "env", "HOME=/tmp"));
    }
    String steps = Files.readString(file("core/runtime/tests/postgres/standby.sh"));
    String url = primary.sourceUrl("postgres");
    command.addAll(List.of("bash", "-c", steps, "standby", url, Integer.toString(port)));
    ProcessBuilder builder = new ProcessBuilder(command).directory(new File("/"));
    Process script = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    if (!"ready".equals(script.inputReader().readLine())) {
      throw new IOException("no standby by " + command);
    }
    return new DatabaseServer(script, primary.driver, "127.0.0.1:" + port);
  }

  /**
   * A PostgreSQL with settings, {@code name=value}; it has the database {@code postgres}. A test's own
   * statements find the library's tables as well as others.
   */
  public static DatabaseServer postgres(String... settings) throws Exception {
    List<String> all = new ArrayList<>(List.of("search_path=public,snowmint"));
    all.addAll(List.of(settings));
    return new DatabaseServer("postgres", all.toArray(String[]::new));
  }

  /** A MariaDB with settings, {@code name=value}, and without a database. */
  public static DatabaseServer mariadb(String... settings) throws Exception {
    return new DatabaseServer("mariadb", settings);
  }

  /** A Redis. */
  public static DatabaseServer redis() throws Exception {
    return new DatabaseServer("redis");
  }

  /** An etcd. */
  public static DatabaseServer etcd() throws Exception {
    return new DatabaseServer("etcd");
  }

  /** A ZooKeeper. */
  public static DatabaseServer zookeeper() throws Exception {
    return new DatabaseServer("zookeeper");
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

  /** Finds a file of the repository that the module is in. */
  private static Path file(String name) throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve(name))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IOException("no " + name + " above " + Path.of("").toAbsolutePath());
    }
    return folder.resolve(name);
  }

  /** The URL by which a driver finds a database. */
  public String url(String database) {
    boolean isPostgres = driver.equals("postgresql");
    String name = database.isEmpty() && isPostgres ? "postgres" : database;
    String user = isPostgres ? "?user=postgres" : "?user=root&sslMode=disable";
    return "jdbc:" + driver + "://" + authority + "/" + name + user;
  }

  /** The port on which it listens. */
  public int port() {
    return Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
  }

  /** The URL by which a driver finds whichever of two PostgreSQLs takes changes. */
  public static String urlOfBoth(DatabaseServer one, DatabaseServer other) {
    String hosts = one.authority + "," + other.authority;
    return one.url("postgres").replace(one.authority, hosts) + "&targetServerType=primary";
  }

  /** The URL by which a source finds a database. */
  public String sourceUrl(String database) {
    if (List.of("redis", "etcd", "zookeeper").contains(driver)) {
      return driver + "://" + authority + "/" + database;
    }
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
