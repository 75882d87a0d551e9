package io.github.snowmint.hibernate;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL of the test's own, on loopback. */
final class PostgresServer implements AutoCloseable {
  private static final int TRIES = 200;

  private final Path directory;
  private final Process process;
  private final int port;

  private PostgresServer(Path directory, Process process, int port) {
    this.directory = directory;
    this.process = process;
    this.port = port;
  }

  static PostgresServer start() throws Exception {
    Path directory = Files.createTempDirectory("snowmint-postgres");
    Path log = Files.createFile(directory.resolve("log"));
    List<String> user = List.of();
    if (Files.getOwner(directory).getName().equals("root")) {
      // It refuses to run as root.
      user = List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups");
      run(log, List.of(), "chown", "postgres", directory.toString()).waitFor();
    }
    String data = directory.resolve("data").toString();
    Process install =
        run(log, user, program("initdb"), "-D", data, "-A", "trust", "-U", "postgres", "-N");
    if (install.waitFor() != 0) {
      throw new IOException(Files.readString(log));
    }
    int port = freePort();
    Process process =
        run(
            log,
            user,
            program("postgres"),
            "-D", data,
            "-h", "127.0.0.1",
            "-p", Integer.toString(port),
            "-k", "",
            "-c", "fsync=off");
    return new PostgresServer(directory, process, port).ready(log);
  }

  /** Debian keeps each release's programs apart. */
  private static String program(String name) throws IOException {
    Path releases = Path.of("/usr/lib/postgresql");
    if (!Files.isDirectory(releases)) {
      return name;
    }
    try (Stream<Path> found = Files.list(releases)) {
      return found
          .max(Comparator.naturalOrder())
          .map(release -> release.resolve("bin").resolve(name).toString())
          .orElse(name);
    }
  }

  private static Process run(Path log, List<String> user, String... command) throws IOException {
    List<String> whole = new ArrayList<>(user);
    whole.addAll(List.of(command));
    return new ProcessBuilder(whole)
        .directory(log.getParent().toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private PostgresServer ready(Path log) throws Exception {
    for (int tried = 1; ; tried++) {
      try (Connection connection = connect()) {
        connection.getMetaData();
        return this;
      } catch (SQLException notYet) {
        if (tried == TRIES || !process.isAlive()) {
          process.destroy();
          throw new IOException(Files.readString(log), notYet);
        }
        Thread.sleep(100);
      }
    }
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  void execute(String statement) throws SQLException {
    try (Connection connection = connect();
        Statement plain = connection.createStatement()) {
      plain.execute(statement);
    }
  }

  @Override
  public void close() throws IOException {
    // An interrupt ends its connections, too.
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
    process.onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
    }
  }
}
