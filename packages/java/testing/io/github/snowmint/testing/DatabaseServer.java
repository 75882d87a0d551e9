package io.github.snowmint.testing;

import java.io.File;
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

/** A database server of the test's own: on loopback, in a new directory, gone when closed. */
public abstract class DatabaseServer implements AutoCloseable {
  /** How often it is asked, each tenth of a second, whether it serves. */
  private static final int TRIES = 3_000;

  /** How often it is started: another may take the port that was free. */
  private static final int STARTS = 5;

  private final Path directory = Files.createTempDirectory("snowmint-server");
  final boolean asRoot = Files.getOwner(directory).getName().equals("root");
  private Process process;
  int port;

  DatabaseServer() throws IOException {}

  /** A PostgreSQL with settings, {@code name=value}; it has the database {@code postgres}. */
  public static DatabaseServer postgres(String... settings) throws Exception {
    return new Postgres(settings).start();
  }

  /** A MariaDB without a database. */
  public static DatabaseServer mariadb() throws Exception {
    return new Mariadb().start();
  }

  abstract void install(Path data) throws Exception;

  abstract List<String> program(Path data) throws IOException;

  /** How a driver finds a database. */
  public abstract String url(String database);

  /** What ends it at once, whoever is connected. */
  abstract String signal();

  /** A new connection. */
  public final Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database));
  }

  /** Runs statements, each of its own. */
  public final void execute(String database, String... statements) throws SQLException {
    try (Connection connection = connect(database);
        Statement plain = connection.createStatement()) {
      for (String statement : statements) {
        plain.execute(statement);
      }
    }
  }

  @Override
  public final void close() throws IOException {
    new ProcessBuilder("kill", signal(), Long.toString(process.pid())).start();
    process.onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }

  /** Waits until it answers; one that does not says why. */
  final DatabaseServer start() throws Exception {
    Path data = directory.resolve("data");
    install(data);
    for (int started = 1; ; started++) {
      port = freePort();
      process = begin(program(data));
      SQLException failure = null;
      for (int tried = 0; tried < TRIES && process.isAlive(); tried++) {
        try (Connection connection = connect("")) {
          connection.getMetaData();
          return this;
        } catch (SQLException notYet) {
          failure = notYet;
        }
        Thread.sleep(100);
      }
      if (process.isAlive() || started == STARTS) {
        String told = Files.readString(log().toPath());
        close();
        throw new IOException(told, failure);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private File log() {
    return directory.resolve("log").toFile();
  }

  private Process begin(List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
        .start();
  }

  final void run(List<String> command) throws Exception {
    if (begin(command).waitFor() != 0) {
      throw new IOException(command + ": " + Files.readString(log().toPath()));
    }
  }

  final Path directory() {
    return directory;
  }

  private static final class Postgres extends DatabaseServer {
    private final String[] settings;

    Postgres(String... settings) throws IOException {
      this.settings = settings;
    }

    @Override
    void install(Path data) throws Exception {
      if (asRoot) {
        run(List.of("chown", "postgres", directory().toString()));
      }
      run(command("initdb", "-D", data.toString(), "-A", "trust", "-U", "postgres", "-N"));
    }

    @Override
    List<String> program(Path data) throws IOException {
      String number = Integer.toString(port);
      List<String> program = command("postgres", "-D", data.toString(), "-c", "fsync=off");
      program.addAll(List.of("-h", "127.0.0.1", "-p", number, "-k", ""));
      for (String setting : settings) {
        program.addAll(List.of("-c", setting));
      }
      return program;
    }

    private List<String> command(String name, String... arguments) throws IOException {
      List<String> command = new ArrayList<>();
      if (asRoot) { // As which it refuses to run.
        command.addAll(
            List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
      }
      command.add(installed(name));
      command.addAll(List.of(arguments));
      return command;
    }

    /** Debian keeps each release's programs apart. */
    private static String installed(String name) throws IOException {
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

    @Override
    public String url(String database) {
      String name = database.isEmpty() ? "postgres" : database;
      return "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=postgres";
    }

    @Override
    String signal() {
      return "-INT";
    }
  }

  private static final class Mariadb extends DatabaseServer {
    Mariadb() throws IOException {}

    @Override
    void install(Path data) throws Exception {
      List<String> command = new ArrayList<>(List.of("mariadb-install-db"));
      command.addAll(settings(data));
      command.add("--auth-root-authentication-method=normal");
      command.add("--skip-test-db");
      run(command);
    }

    @Override
    List<String> program(Path data) throws IOException {
      List<String> program = new ArrayList<>(List.of("mariadbd"));
      program.addAll(settings(data));
      program.add("--socket=" + directory().resolve("socket"));
      program.add("--bind-address=127.0.0.1");
      program.add("--port=" + port);
      program.add("--max-connections=1000");
      program.add("--innodb-flush-log-at-trx-commit=0");
      return program;
    }

    private List<String> settings(Path data) throws IOException {
      List<String> settings = new ArrayList<>(List.of("--no-defaults", "--datadir=" + data));
      if (asRoot) {
        settings.add("--user=root");
      }
      return settings;
    }

    @Override
    public String url(String database) {
      return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&sslMode=disable";
    }

    @Override
    String signal() {
      return "-TERM";
    }
  }
}
