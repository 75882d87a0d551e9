package io.github.snowmint;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database server of its own: on a free port, in a new directory, gone when closed. */
final class DatabaseServer implements AutoCloseable {
  /** How often it is asked, each tenth of a second, whether it serves. */
  private static final int TRIES = 600;

  private final Path directory = Files.createTempDirectory("snowmint-server");
  private final boolean root = Files.getOwner(directory).getName().equals("root");
  private final int port = freePort();
  private DataSource source;
  private Process process;

  private DatabaseServer() throws IOException {}

  static DatabaseServer postgres() throws Exception {
    DatabaseServer server = new DatabaseServer();
    String data = server.directory.resolve("data").toString();
    List<String> user = List.of();
    if (server.root) { // Which the server refuses to run as.
      user = List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups");
      server.run(List.of("chown", "postgres", server.directory.toString()));
    }
    Path programs = newestPostgres().resolve("bin");
    server.run(
        user, programs.resolve("initdb").toString(), "-D", data, "-A", "trust", "-U", "ids", "-N");
    server.process =
        server.start(
            user,
            programs.resolve("postgres").toString(),
            "-D",
            data,
            "-h",
            "127.0.0.1",
            "-p",
            Integer.toString(server.port),
            "-k",
            "",
            "-c",
            "fsync=off");
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL("jdbc:postgresql://127.0.0.1:" + server.port + "/postgres?user=ids");
    return server.ready(source);
  }

  /** Debian keeps each version apart; elsewhere it may be a link. */
  private static Path newestPostgres() throws IOException {
    try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
      return versions.max(Comparator.naturalOrder()).orElseThrow();
    }
  }

  static DatabaseServer mariadb() throws Exception {
    DatabaseServer server = new DatabaseServer();
    Path data = server.directory.resolve("data");
    List<String> settings = new ArrayList<>(List.of("--no-defaults", "--datadir=" + data));
    if (server.root) {
      settings.add("--user=root");
    }
    List<String> install = new ArrayList<>(List.of("mariadb-install-db"));
    install.addAll(settings);
    install.add("--auth-root-authentication-method=normal");
    install.add("--skip-test-db");
    server.run(install);
    Files.createDirectories(data.resolve("ids")); // A database is a directory.

    List<String> serve = new ArrayList<>(List.of("mariadbd"));
    serve.addAll(settings);
    serve.add("--socket=" + server.directory.resolve("socket"));
    serve.add("--bind-address=127.0.0.1");
    serve.add("--port=" + server.port);
    serve.add("--innodb-flush-log-at-trx-commit=0");
    server.process = server.start(serve);
    String url = "jdbc:mariadb://127.0.0.1:" + server.port + "/ids?user=root&sslMode=disable";
    return server.ready(new MariaDbDataSource(url));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process start(List<String> command, String... more) throws IOException {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of(more));
    return new ProcessBuilder(whole)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
        .start();
  }

  private void run(List<String> command, String... more) throws Exception {
    if (start(command, more).waitFor() != 0) {
      throw new IOException(command + ": " + Files.readString(log().toPath()));
    }
  }

  private File log() {
    return directory.resolve("log").toFile();
  }

  /** Waits until the server answers; one that ends instead says why. */
  private DatabaseServer ready(DataSource reached) throws Exception {
    source = reached;
    for (int tried = 0; ; tried++) {
      try (Connection connection = source.getConnection()) {
        connection.getMetaData();
        return this;
      } catch (SQLException notYet) {
        if (!process.isAlive() || tried == TRIES) {
          String told = Files.readString(log().toPath());
          close();
          throw new IOException(told, notYet);
        }
        Thread.sleep(100);
      }
    }
  }

  DataSource source() {
    return source;
  }

  void dropTables() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS snowmint_worker");
      statement.execute("DROP TABLE IF EXISTS snowmint_segment");
    }
  }

  /** Ends the server; PostgreSQL waits for its clients to leave. */
  @Override
  public void close() throws IOException {
    process.destroy();
    process.onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
