package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Commits that wait for a standby which is not there, on a PostgreSQL. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JdbcCommitsTest {
  private static final String WAITING =
      " FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND backend_type = 'client backend'";
  private static DatabaseServer server;

  private Operator operator;

  /** Cancels every wait for the standby, until told to leave. */
  private static final class Operator {
    private final Thread thread = new Thread(this::run);
    private volatile boolean leaving;

    Operator() {
      thread.start();
    }

    private void run() {
      try (Connection connection = server.connect("postgres");
          Statement statement = connection.createStatement()) {
        while (!leaving) {
          statement.execute("SELECT pg_cancel_backend(pid)" + WAITING);
          Thread.sleep(5);
        }
      } catch (SQLException | InterruptedException failure) {
        throw new AssertionError(failure);
      }
    }

    void leave() throws InterruptedException {
      leaving = true;
      thread.join();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.postgres("synchronous_standby_names=nobody");
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  /** Returns a source whose connections have the options. */
  private static PGSimpleDataSource source(String... options) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    source.setOptions(String.join(" ", options));
    return source;
  }

  private static long number(String query) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void locally(String... statements) throws SQLException {
    String[] all = new String[statements.length];
    for (int n = 0; n < all.length; n++) {
      all[n] = "SET synchronous_commit = local; " + statements[n];
    }
    server.execute("postgres", all);
  }

  @BeforeEach
  void tables() throws Exception {
    operator = new Operator();
    locally("DROP SCHEMA IF EXISTS snowmint CASCADE");
    JdbcStore store = new JdbcStore(source());
    StoreSuite.refused(Code.OUTCOME_UNKNOWN, store::createTables);
    StoreSuite.refused(Code.OUTCOME_UNKNOWN, () -> store.createTag("orders"));
  }

  @AfterEach
  void operatorGoes() throws Exception {
    operator.leave();
  }

  @Test
  void aCommitWhoseWaitWasCancelledIsUnknown() throws Exception {
    JdbcStore store = new JdbcStore(source());
    for (int n = 0; n < 20; n++) {
      String message =
          StoreSuite.refused(
              Code.OUTCOME_UNKNOWN, () -> store.allocate("orders", StoreSuite.NONE));
      StoreSuite.assertContains(message, "replication");
    }
    LeaseRequest request = StoreSuite.request("a", 9);
    for (int n = 0; n < 3; n++) {
      // The same attempt again finds what was committed here alone.
      StoreSuite.refused(Code.OUTCOME_UNKNOWN, () -> store.acquire(request));
    }
    long reservedMs = store.workers().get(0).reservedMs();
    Lease lease =
        new Lease(request.realm(), 0, 1, "a", request.token(), 0, reservedMs, reservedMs);
    StoreSuite.refused(
        Code.OUTCOME_UNKNOWN, () -> store.renew(lease, StoreSuite.token(2), 1000));
    assertEquals(20_001, store.tag("orders").orElseThrow().next());
  }

  @Test
  void settingsOfTheConnectionHideNothing() throws Exception {
    for (String level : List.of("off", "local", "remote_write", "on", "remote_apply")) {
      String commit = "-c synchronous_commit=" + level;
      JdbcStore store = new JdbcStore(source(commit, "-c client_min_messages=error"));
      StoreSuite.refused(
          Code.OUTCOME_UNKNOWN, () -> store.allocate("orders", StoreSuite.NONE));
    }
  }

  @Test
  void aCommitThatIsNotAnsweredIsUnknownAndNotCancelled() throws Exception {
    operator.leave();
    JdbcStore store = new JdbcStore(source(), Duration.ofSeconds(2));
    StoreSuite.refused(Code.OUTCOME_UNKNOWN, () -> store.allocate("orders", StoreSuite.NONE));
    assertEquals(1, number("SELECT count(*)" + WAITING));
    StoreSuite.refused(Code.STORE_LOCKED, () -> store.allocate("orders", StoreSuite.NONE));
    assertEquals(1, number("SELECT count(*)" + WAITING));
    assertEquals(1, store.tag("orders").orElseThrow().next());
    operator = new Operator();
    while (number("SELECT count(*)" + WAITING) > 0) {
      Thread.sleep(10);
    }
    assertEquals(1001, store.tag("orders").orElseThrow().next());
  }

  @Test
  void aStatementThatIsNotAnsweredReservesNothing() throws Exception {
    locally(
        "CREATE OR REPLACE FUNCTION nap() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN PERFORM pg_sleep(3600); RETURN NEW; END'",
        "CREATE TRIGGER nap BEFORE UPDATE ON snowmint_segment FOR EACH ROW"
            + " EXECUTE FUNCTION nap()");
    JdbcStore store = new JdbcStore(source(), Duration.ofSeconds(1));
    StoreSuite.refused(
        Code.STORE_UNAVAILABLE, () -> store.allocate("orders", StoreSuite.NONE));
    assertEquals(1, store.tag("orders").orElseThrow().next());
    String asleep = " FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    assertTrue(number("SELECT count(*)" + asleep) > 0);
    number("SELECT count(pg_terminate_backend(pid))" + asleep);
    while (number("SELECT count(*)" + asleep) > 0) {
      Thread.sleep(10);
    }
  }
}
