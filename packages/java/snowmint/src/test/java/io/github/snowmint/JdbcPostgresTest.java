package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

class JdbcPostgresTest extends JdbcServerSuite {
  private static DatabaseServer server;
  private long stopped;

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
    server.execute("postgres", "DROP SCHEMA IF EXISTS snowmint CASCADE");
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

  /** Lets a backend go on that a test stopped. */
  @AfterEach
  void goOn() throws Exception {
    if (stopped != 0) {
      signal("CONT", stopped);
      stopped = 0;
    }
  }

  private static void signal(String name, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertEquals(0, kill.waitFor());
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
    try (Connection connection = server.connect("postgres")) {
      return number(
          connection, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    }
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  void run(String... statements) throws Exception {
    execute(statements);
  }

  private static PGSimpleDataSource as(String user) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    source.setUser(user);
    return source;
  }

  /** Nothing would be refused that a failover may have lost. */
  @Test
  void whoMayNotAskForTheIncarnationIsRefused() throws Exception {
    create("orders", 1, 10, 1);
    execute(
        "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC",
        "CREATE ROLE blind LOGIN",
        "GRANT USAGE ON SCHEMA snowmint TO blind",
        "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA snowmint TO blind");
    try {
      JdbcStore blind = new JdbcStore(as("blind"));
      String message = refused(Code.STORE_DENIED, () -> blind.allocate("orders", NONE));
      assertContains(message, "GRANT EXECUTE ON FUNCTION pg_control_system()");
      // The statement in the message is enough.
      execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO blind");
      assertRange(1, 11, blind.allocate("orders", NONE));
    } finally {
      execute(
          "DROP OWNED BY blind",
          "DROP ROLE blind",
          "GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC");
    }
  }

  /** As some have it that speak PostgreSQL's language. */
  @Test
  void aServerWithoutAnIncarnationIsRefused() throws Exception {
    create("orders", 1, 10, 1);
    execute("ALTER FUNCTION pg_control_system() RENAME TO pg_control_hidden");
    try {
      refused(Code.UNSUPPORTED, () -> take("orders"));
    } finally {
      execute("ALTER FUNCTION pg_control_hidden() RENAME TO pg_control_system");
    }
    assertRange(1, 11, take("orders"));
  }

  /** By an operator's word; rows of another database are another server's either way. */
  @Test
  void standbysThatConfirmAreGoneOnWith() throws Exception {
    create("orders", 1, 10, 1);
    JdbcStore synchronous = new JdbcStore(source).withSynchronousReplication();
    execute("UPDATE snowmint_segment SET incarnation = regexp_replace(incarnation, '[^-]*$', '0')");
    refused(Code.INCARNATION_CHANGED, () -> take("orders"));
    assertRange(1, 11, synchronous.allocate("orders", NONE));
    execute("UPDATE snowmint_segment SET incarnation = '1-1-00000001'");
    refused(Code.INCARNATION_CHANGED, () -> synchronous.allocate("orders", NONE));
  }

  /** As where an operator raises it at that moment. */
  @Test
  void aTagThatGivesNoRangeForNowIsNotExhausted() throws Exception {
    create("orders", 1, 10, 1);
    execute(
        "CREATE OR REPLACE FUNCTION passes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " RETURN NULL; END $$",
        "CREATE TRIGGER passes BEFORE UPDATE ON snowmint_segment FOR EACH ROW"
            + " EXECUTE FUNCTION passes()");
    refused(Code.STORE_LOCKED, () -> take("orders"));
    execute("DROP TRIGGER passes ON snowmint_segment");
    assertRange(1, 11, take("orders"));
  }

  @Test
  void aLockThatIsNotGivenIsNoReasonToLeave() throws Exception {
    create("orders", 1, 10, 1);
    JdbcStore hasty = new JdbcStore(source, Duration.ofSeconds(3));
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

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aBackendThatStandsStillIsLeft() throws Exception {
    create("orders", 1, 10, 1);
    JdbcStore hasty = new JdbcStore(source, Duration.ofMillis(500));
    Connection pooled = server.connect("postgres");
    stopped = number(pooled, "SELECT pg_backend_pid()");
    signal("STOP", stopped);
    source.fault =
        new FaultyDataSource.Fault() {
          @Override
          public Connection given(Connection connection) throws SQLException {
            connection.close();
            return pooled;
          }
        };
    refused(Code.STORE_UNAVAILABLE, () -> hasty.allocate("orders", NONE));
    assertTrue(pooled.isClosed());
    source.fault = FaultyDataSource.NONE;
    assertRange(1, 11, take("orders"));
  }

  @Test
  void whoStartsWaitsForNobody() throws Exception {
    create("orders", 1, 10, 1);
    JdbcStore hasty = new JdbcStore(source, Duration.ofMillis(500));
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("UPDATE snowmint_segment SET step = step");
      hasty.createTables();
    }
    assertRange(1, 11, take("orders"));
  }

  @Test
  void aTriggerThatIsLostIsRefused() throws Exception {
    create("orders", 5, 10, 1);
    for (String lost :
        new String[] {
          "DROP TRIGGER snowmint_segment_rises ON snowmint_segment",
          "DROP FUNCTION snowmint_segment_rises() CASCADE",
          "ALTER TABLE snowmint_segment DISABLE TRIGGER snowmint_segment_rises"
        }) {
      execute(lost);
      String message = refused(Code.STORE_SCHEMA, store::createTables);
      // The statements in the message are enough.
      execute(message.substring(message.indexOf("by: ") + 4));
      store.createTables();
      SQLException refusal =
          assertThrows(
              SQLException.class, () -> execute("UPDATE snowmint_segment SET next = 1"));
      assertContains(refusal.getMessage(), "next never falls");
    }
    assertRange(5, 15, take("orders"));
  }

  @Test
  void allStatementsTogetherWaitForLocks() throws Exception {
    Lease held = store.acquire(request("a", 9));
    execute(
        "CREATE TABLE noted (lock_ms bigint)",
        "CREATE OR REPLACE FUNCTION notes_wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " INSERT INTO public.noted SELECT setting::bigint FROM pg_settings"
            + " WHERE name = 'lock_timeout'; RETURN NEW; END $$",
        "CREATE TRIGGER notes BEFORE UPDATE ON snowmint_worker FOR EACH ROW"
            + " EXECUTE FUNCTION notes_wait()");
    source.fault =
        new FaultyDataSource.Fault() {
          @Override
          public void before(String method) {
            if (method.equals("prepareStatement")) {
              pass(20);
            }
          }
        };
    store.renew(held, token(2), MINUTE_MS);
    try (Connection connection = server.connect("postgres")) {
      long lockMs = number(connection, "SELECT max(lock_ms) FROM noted");
      assertTrue(lockMs > 0, "it waits for ever");
      assertTrue(lockMs < JdbcStore.ANSWER_WITHIN.toMillis() * 3 / 4, "it waits anew");
    } finally {
      execute("DROP TABLE noted");
    }
  }

  private static void assertRefused(Code code, String database, String user) {
    PGSimpleDataSource source = as(user);
    source.setDatabaseName(database);
    refused(code, () -> new JdbcStore(source).allocate("orders", NONE));
  }

  @Test
  void whatIsWrongHasTheNativeStoresCode() throws Exception {
    create("orders", 1, 10, 1);
    assertRefused(Code.STORE_MISSING, "nothing", "postgres");
    assertRefused(Code.STORE_MISSING, "template1", "postgres");
    assertRefused(Code.STORE_DENIED, "postgres", "nobody");
    execute("CREATE ROLE reader LOGIN");
    try {
      assertRefused(Code.STORE_DENIED, "postgres", "reader");
    } finally {
      execute("DROP ROLE reader");
    }
    execute("ALTER TABLE snowmint_segment DROP COLUMN stride");
    refused(Code.STORE_SCHEMA, () -> take("orders"));
  }

  /** A refusal names a setting that holds for all of a user's sessions, and the cure. */
  @Test
  void settingsThatAreInTheWayAreNamed() throws Exception {
    create("orders", 1, 10, 1);
    PGSimpleDataSource bound = as("postgres");
    bound.setOptions("-c statement_timeout=300");
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT * FROM snowmint_segment FOR UPDATE");
      JdbcStore hasty = new JdbcStore(bound);
      assertContains(
          refused(Code.STORE_LOCKED, () -> hasty.allocate("orders", NONE)), "statement_timeout");
    }
    PGSimpleDataSource reader = as("postgres");
    reader.setReadOnly(true);
    assertContains(
        refused(Code.STORE_READ_ONLY, () -> new JdbcStore(reader).allocate("orders", NONE)),
        "a setting of the DataSource");
    PGSimpleDataSource standby = as("postgres");
    standby.setOptions("-c default_transaction_read_only=on");
    assertContains(
        refused(Code.STORE_READ_ONLY, () -> new JdbcStore(standby).allocate("orders", NONE)),
        "it is a standby");
  }

  @Test
  void tablesOfAnotherVersionAreRefused() throws Exception {
    execute("UPDATE snowmint_schema SET version = 2");
    JdbcStore other = new JdbcStore(source);
    assertContains(refused(Code.STORE_SCHEMA, other::tags), "of version 2, and this knows 1");
    refused(Code.STORE_SCHEMA, other::createTables);
    execute("UPDATE snowmint_schema SET version = 1");
    assertEquals(0, other.tags().size());
    execute("DELETE FROM snowmint_schema");
    JdbcStore without = new JdbcStore(source);
    String message = refused(Code.STORE_SCHEMA, without::tags);
    execute(message.substring(message.indexOf("INSERT"), message.indexOf(", or")));
    assertEquals(0, without.tags().size());
  }

  @Test
  void aCommitThatComesTooLateForTheServerIsRefused() throws Exception {
    create("orders", 1, 10, 1);
    execute(
        "CREATE OR REPLACE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " RAISE 'terminating' USING ERRCODE = '25P03'; END $$",
        "CREATE CONSTRAINT TRIGGER ends AFTER UPDATE ON snowmint_segment"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ends()");
    assertContains(refused(Code.STORE_UNAVAILABLE, () -> take("orders")), "stood still");
    execute("DROP TRIGGER ends ON snowmint_segment");
    assertEquals(1, take("orders").start());
  }

  @Test
  void aCommitOfNoTransactionIsUnknown() throws Exception {
    create("orders", 1, 10, 1);
    execute(
        "CREATE OR REPLACE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " RAISE WARNING 'there is no transaction in progress' USING ERRCODE = '25P01';"
            + " RETURN NEW; END $$",
        "CREATE CONSTRAINT TRIGGER ends AFTER UPDATE ON snowmint_segment"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ends()");
    refused(Code.OUTCOME_UNKNOWN, () -> take("orders"));
  }
}
