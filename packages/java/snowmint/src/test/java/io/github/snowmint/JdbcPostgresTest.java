package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

class JdbcPostgresTest extends JdbcStoreSuite {
  private static DatabaseServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.postgres();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  DataSource database() throws Exception {
    server.execute("postgres", "DROP TABLE IF EXISTS snowmint_worker, snowmint_segment");
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    return source;
  }

  @Override
  int[] levels() {
    return new int[] {
      Connection.TRANSACTION_READ_UNCOMMITTED,
      Connection.TRANSACTION_READ_COMMITTED,
      Connection.TRANSACTION_REPEATABLE_READ,
      Connection.TRANSACTION_SERIALIZABLE
    };
  }

  private static void execute(String... statements) throws Exception {
    server.execute("postgres", statements);
  }

  @Test
  void whatTriggersSayIsNoDoubt() throws Exception {
    create("orders", 1, 10, 1);
    String talks = "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE ";
    execute(
        "CREATE OR REPLACE FUNCTION notes() " + talks + "NOTICE 'noted'; RETURN NEW; END $$",
        "CREATE OR REPLACE FUNCTION warns() " + talks + "WARNING 'warned'; RETURN NEW; END $$",
        "CREATE TRIGGER warns BEFORE UPDATE ON snowmint_segment FOR EACH ROW"
            + " EXECUTE FUNCTION warns()",
        "CREATE CONSTRAINT TRIGGER notes AFTER UPDATE ON snowmint_segment"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION notes()");
    assertRange(1, 11, take("orders"));
    assertRange(11, 21, take("orders"));
  }

  @Test
  void renewalsDoNotWaitForWhoAcquires() throws Exception {
    Lease held = store.acquire(request("a", 9));
    AtomicReference<Lease> renewed = new AtomicReference<>();
    Thread holder =
        new Thread(() -> renewed.set(store.renew(held, token(2), MINUTE_MS)), "holder");
    source.fault =
        new FaultyDataSource.Fault() {
          @Override
          public void before(String method) {
            // The first commit is that of the one who acquires.
            if (method.equals("commit") && Thread.currentThread() != holder) {
              source.fault = FaultyDataSource.NONE;
              holder.start();
              assertDoesNotThrow(() -> holder.join());
            }
          }
        };
    assertEquals(1, store.acquire(request("b", 9)).workerId());
    assertArrayEquals(token(2), renewed.get().token());
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoRenewsInTimeKeepsItsWorkerId() throws Exception {
    Lease held = store.acquire(request("a", 9, 1, 0));
    pass(3);
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(
          "UPDATE snowmint_worker SET reserved_ms = reserved_ms + 60000,"
              + " expires_ms = expires_ms + 60000");
      FutureTask<Lease> taken = new FutureTask<>(() -> store.acquire(request("b", 9)));
      new Thread(taken).start();
      while (waiting() == 0) {
        pass(5);
      }
      connection.commit();
      assertEquals(held.workerId() + 1, taken.get().workerId());
    }
    store.renew(held, token(2), MINUTE_MS);
  }

  private static long waiting() throws Exception {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void aLockThatIsNotGivenIsNoReasonToLeave() throws Exception {
    create("orders", 1, 10, 1);
    JdbcStore hasty = new JdbcStore(source, Duration.ofMillis(200));
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT * FROM snowmint_segment FOR UPDATE");
      source.returned();
      refused(Code.STORE_LOCKED, () -> hasty.allocate("orders", NONE));
      assertFalse(source.returned().isEmpty(), "the connection was aborted");
    }
    assertRange(1, 11, take("orders"));
  }
}
