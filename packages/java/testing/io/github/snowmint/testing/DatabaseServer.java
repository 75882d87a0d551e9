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
  /** A PostgreSQL with settings, {@code name=value}; it has the database {@code postgres}. */
  public static DatabaseServer postgres(String... settings) throws Exception {
    return new Postgres(settings);
  }

  /** A MariaDB without a database. */
  public static DatabaseServer mariadb() throws Exception {
    return new Mariadb().start();
  }

  /** How a driver finds a database. */
  public abstract String url(String database);

  /** How a source finds it. */
  public String sourceUrl(String database) {
    throw new UnsupportedOperationException(url(database));
  }

  @Override
  public abstract void close() throws IOException;

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

  /** One that {@code scripts/servers} runs for as long as it can read. */
  private static final class Postgres extends DatabaseServer {
    private final Process script;
    private final String authority;

    Postgres(String... settings) throws IOException {
      List<String> command = new ArrayList<>(List.of(script(), "run", "postgres"));
      command.addAll(List.of(settings));
      script =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String url = script.inputReader().readLine();
      if (url == null) {
        throw new IOException("no server by " + command);
      }
      authority = url.replaceFirst("^.*@", "").replaceFirst("/.*$", "");
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

    @Override
    public String url(String database) {
      String name = database.isEmpty() ? "postgres" : database;
      return "jdbc:postgresql://" + authority + "/" + name + "?user=postgres";
    }

    @Override
    public String sourceUrl(String database) {
      return "postgres://postgres@" + authority + "/" + database + "?sslmode=disable";
    }

    @Override
    public void close() throws IOException {
      script.getOutputStream().close();
      script.onExit().join();
    }
  }

  private static final class Mariadb extends DatabaseServer {
    /** How often it is asked, each tenth of a second, whether it serves. */
    private static final int TRIES = 3_000;

    /** How often it is started: another may take the port that was free. */
    private static final int STARTS = 5;

    private final Path directory = Files.createTempDirectory("snowmint-server");
    private Process process;
    private int port;

    Mariadb() throws IOException {}

    /** Waits until it answers; one that does not says why. */
    DatabaseServer start() throws Exception {
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

    @Override
    public void close() throws IOException {
      process.destroy();
      process.onExit().join();
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }

    private void install(Path data) throws Exception {
      List<String> command = new ArrayList<>(List.of("mariadb-install-db"));
      command.addAll(settings(data));
      command.add("--auth-root-authentication-method=normal");
      command.add("--skip-test-db");
      if (begin(command).waitFor() != 0) {
        throw new IOException(command + ": " + Files.readString(log().toPath()));
      }
    }

    private List<String> program(Path data) throws IOException {
      List<String> program = new ArrayList<>(List.of("mariadbd"));
      program.addAll(settings(data));
      program.add("--socket=" + directory.resolve("socket"));
      program.add("--bind-address=127.0.0.1");
      program.add("--port=" + port);
      program.add("--max-connections=1000");
      program.add("--innodb-flush-log-at-trx-commit=0");
      return program;
    }

    private List<String> settings(Path data) throws IOException {
      List<String> settings = new ArrayList<>(List.of("--no-defaults", "--datadir=" + data));
      if (Files.getOwner(directory).getName().equals("root")) {
        settings.add("--user=root");
      }
      return settings;
    }

    @Override
    public String url(String database) {
      return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&sslMode=disable";
    }
  }
}
