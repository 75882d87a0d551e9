package io.github.snowmint.shardingsphere;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A MariaDB of the test's own, on loopback. */
final class MariadbServer implements AutoCloseable {
  private static final int TRIES = 200;

  private final Path directory;
  private final Process process;
  private final int port;

  private MariadbServer(Path directory, Process process, int port) {
    this.directory = directory;
    this.process = process;
    this.port = port;
  }

  static MariadbServer start() throws Exception {
    Path directory = Files.createTempDirectory("snowmint-mariadb");
    String data = "--datadir=" + directory.resolve("data");
    Process install =
        run(
            directory,
            "mariadb-install-db",
            "--no-defaults",
            "--user=root",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            data);
    if (install.waitFor() != 0) {
      throw new IOException(Files.readString(directory.resolve("log")));
    }
    int port = freePort();
    Process process =
        run(
            directory,
            "mariadbd",
            "--no-defaults",
            "--user=root",
            data,
            "--socket=" + directory.resolve("socket"),
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--max-connections=1000",
            "--innodb-flush-log-at-trx-commit=0");
    return new MariadbServer(directory, process, port).ready();
  }

  private static Process run(Path directory, String... command) throws IOException {
    return new ProcessBuilder(List.of(command))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private MariadbServer ready() throws Exception {
    for (int tried = 1; ; tried++) {
      try (Connection connection = connect("")) {
        connection.getMetaData();
        return this;
      } catch (SQLException notYet) {
        if (tried == TRIES || !process.isAlive()) {
          process.destroy();
          throw new IOException(Files.readString(directory.resolve("log")), notYet);
        }
        Thread.sleep(100);
      }
    }
  }

  /** Of a database, without TLS. */
  String url(String database) {
    return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?sslMode=disable";
  }

  Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database), "root", "");
  }

  /** Runs statements, each of its own. */
  void execute(String database, String... statements) throws SQLException {
    try (Connection connection = connect(database);
        Statement plain = connection.createStatement()) {
      for (String statement : statements) {
        plain.execute(statement);
      }
    }
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    process.onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
    }
  }
}
