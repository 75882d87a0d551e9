package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** An SQLite file that another process has to itself. */
@Timeout(600)
class LockedFileTest {
  @TempDir Path directory;

  /** The other process, which makes the file and holds it until its input ends. */
  private static final class Holder implements AutoCloseable {
    final Process process;

    Holder(Path file) throws IOException {
      process =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/java",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Holder.class.getName(),
                  file.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      assertEquals('!', process.getInputStream().read());
    }

    public static void main(String[] arguments) throws Exception {
      SQLiteDataSource source = new SQLiteDataSource();
      source.setUrl("jdbc:sqlite:" + arguments[0]);
      new JdbcStore(source).createTables();
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("BEGIN EXCLUSIVE");
        System.out.println("!");
        System.in.read();
      }
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      process.onExit().join();
    }
  }

  private static boolean isRunning(Thread thread) {
    return thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED;
  }

  @Test
  void interruptionEndsItsOpening() throws Exception {
    Path file = directory.resolve("ids.db");
    try (Holder holder = new Holder(file)) {
      List<Function<Path, Store>> openings = List.of(Store::sqlite, Store::createSqlite);
      for (Function<Path, Store> opening : openings) {
        FutureTask<Store> task = new FutureTask<>(() -> opening.apply(file));
        Thread thread = new Thread(task, "opening");
        thread.start();
        while (isRunning(thread)) {
          Thread.onSpinWait();
        }
        thread.interrupt();
        Throwable failure = assertThrows(ExecutionException.class, task::get).getCause();
        assertEquals(Code.WAIT_TIMEOUT, ((SnowmintException) failure).code(), failure::toString);
        assertTrue(failure.getMessage().contains("was interrupted"), failure::getMessage);
        assertTrue(holder.process.isAlive());
      }
    }
    assertEquals(List.of(), Store.sqlite(file).tags());
  }
}
