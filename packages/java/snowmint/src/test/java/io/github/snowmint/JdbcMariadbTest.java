package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;
import org.mariadb.jdbc.MariaDbPoolDataSource;

class JdbcMariadbTest extends JdbcServerSuite {
  private static DatabaseServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.mariadb();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  DataSource database() throws Exception {
    server.execute("", "DROP DATABASE IF EXISTS ids", "CREATE DATABASE ids");
    return new MariaDbDataSource(server.url("ids"));
  }

  @Override
  void run(String... statements) throws Exception {
    server.execute("ids", statements);
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

  @Test
  void tablesWhoseMakingWasInterruptedAreMade() throws Exception {
    server.execute("ids", "DROP TABLE snowmint_segment", "DELETE FROM snowmint_schema");
    store.createTables();
    create("orders", 1, 10, 1);
    assertRange(1, 11, take("orders"));
  }

  @Test
  void nothingIsMadeBesideTablesThatAreInUse() throws Exception {
    server.execute("ids", "DROP TABLE snowmint_segment"); // None is leased, and all were made.
    assertContains(refused(Code.STORE_SCHEMA, store::createTables), "nothing is made");
  }

  /** Connector/J logs each statement that fails as a warning. */
  @Test
  void aTagThatIsThereIsEnsuredWithoutAStatementThatFails() throws Exception {
    store.ensureTag("orders");
    long tried = insertions();
    assertFalse(store.ensureTag("orders"));
    refused(Code.TAG_EXISTS, () -> store.createTag("orders"));
    assertEquals(tried, insertions());
    assertTrue(store.ensureTag("invoices"));
    assertEquals(tried + 1, insertions());
  }

  @Test
  void noConflictButADeadlockDeniesACommit() {
    create("orders", 1, 10, 1);
    long next = 1;
    for (int number : new int[] {1205, 1020}) {
      SQLException conflict = new SQLException("a conflict", "40001", number);
      next += 10;
      assertFails(after("commit", conflict), Code.OUTCOME_UNKNOWN, conflict, next);
    }
  }

  private static long insertions() throws Exception {
    try (Connection connection = server.connect("ids");
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com_insert'")) {
      found.next();
      return found.getLong(2);
    }
  }

  /** The connection ends after its UPDATE, and another one commits the same range meanwhile. */
  @Test
  void whatADriverRunsAgainIsNotUsed() throws Exception {
    create("orders", 1, 10, 1);
    String hosts = server.url("ids").replaceFirst("mariadb://([^/]+)/", "mariadb:sequential://$1,$1/");
    DataSource driver = new MariaDbDataSource(hosts + "&transactionReplay=true");
    JdbcStore replaying = new JdbcStore(driver);
    assertContains(
        refused(Code.UNSAFE_SETTING, () -> replaying.allocate("orders", NONE)), "transactionReplay");
    FaultyDataSource cut = new FaultyDataSource(driver);
    cut.fault =
        new FaultyDataSource.Fault() {
          @Override
          public Connection given(Connection connection) {
            return interrupted(connection);
          }
        };
    JdbcStore silent = new JdbcStore(cut);
    assertContains(
        refused(Code.OUTCOME_UNKNOWN, () -> silent.allocate("orders", NONE)), "another connection");
  }

  /** One whose driver does not say how it is set, and which ends before it tells a range. */
  private Connection interrupted(Connection real) {
    return answering(
        Connection.class,
        real,
        (method, argument) -> {
          if (method.equals("getMetaData")) {
            String url = real.getMetaData().getURL().replace("transactionReplay", "x");
            return answering(
                DatabaseMetaData.class,
                real.getMetaData(),
                (asked, none) -> asked.equals("getURL") ? url : null);
          }
          if (method.equals("prepareStatement") && argument.contains("SELECT previous")) {
            endConnections();
            assertRange(1, 11, take("orders"));
          }
          return null;
        });
  }

  /** Answers in place of the real object, or returns null to leave the call to it. */
  private interface Instead {
    Object of(String method, String argument) throws Exception;
  }

  private static <T> T answering(Class<T> type, T real, Instead instead) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          String argument = arguments == null ? "" : String.valueOf(arguments[0]);
          Object answer = instead.of(method.getName(), argument);
          try {
            return answer != null ? answer : method.invoke(real, arguments);
          } catch (InvocationTargetException failure) {
            throw failure.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static void endConnections() throws SQLException {
    String others = " FROM information_schema.processlist WHERE db = 'ids'";
    try (Connection operator = server.connect("");
        Statement statement = operator.createStatement();
        ResultSet found = statement.executeQuery("SELECT id" + others)) {
      while (found.next()) {
        try {
          server.execute("", "KILL " + found.getLong(1));
        } catch (SQLException failure) {
          int gone = 1094; // It ended by itself, as one that a test closed before.
          assertEquals(gone, failure.getErrorCode(), failure.getMessage());
        }
      }
    }
  }

  @Test
  void tablesOfAnotherVersionAreRefused() throws Exception {
    create("orders", 1, 10, 1);
    server.execute("ids", "UPDATE snowmint_schema SET version = 2");
    assertContains(refused(Code.STORE_SCHEMA, store::createTables), "version 2");
    JdbcStore other = new JdbcStore(source);
    assertContains(refused(Code.STORE_SCHEMA, () -> other.allocate("orders", NONE)), "knows 1");
    server.execute("ids", "DELETE FROM snowmint_schema");
    assertContains(refused(Code.STORE_SCHEMA, store::createTables), "INSERT INTO snowmint_schema (version");
  }

  @Test
  void tablesWithoutTransactionsAreRefused() throws Exception {
    server.execute("ids", "ALTER TABLE snowmint_segment ENGINE = Aria");
    assertContains(refused(Code.STORE_SCHEMA, store::createTables), "ENGINE = InnoDB");
  }

  /** By the native store as well: the tables are the same. */
  @Test
  void tablesAreMadeByOneProcessAtATime() throws Exception {
    DataSource fresh = database();
    try (Connection operator = server.connect("ids");
        Statement statement = operator.createStatement()) {
      statement.execute("DO GET_LOCK(concat('snowmint ', left(sha2(database(), 256), 32)), 0)");
      JdbcStore hasty = new JdbcStore(fresh, Duration.ofSeconds(3));
      refused(Code.STORE_LOCKED, hasty::createTables);
      assertFalse(statement.executeQuery("SHOW TABLES").next());
    }
    new JdbcStore(fresh).createTables();
    Store.open(server.sourceUrl("ids")).createTag("orders");
    assertRange(1, 1001, new JdbcStore(fresh).allocate("orders", NONE));
  }

  @Test
  void allStatementsTogetherWaitForLocks() throws Exception {
    Lease held = store.acquire(request("a", 9));
    server.execute(
        "ids",
        "CREATE TABLE noted (lock_s bigint, idle_s bigint)",
        "CREATE TRIGGER notes BEFORE UPDATE ON snowmint_worker FOR EACH ROW INSERT INTO noted"
            + " VALUES (@@SESSION.innodb_lock_wait_timeout, @@SESSION.idle_transaction_timeout)");
    source.fault =
        new FaultyDataSource.Fault() {
          @Override
          public void before(String method) {
            if (method.equals("prepareStatement")) {
              pass(600);
            }
          }
        };
    JdbcStore late = new JdbcStore(source);
    late.renew(held, token(2), MINUTE_MS); // After a look at the tables' version.
    try (Connection connection = server.connect("ids");
        Statement statement = connection.createStatement();
        ResultSet noted = statement.executeQuery("SELECT max(lock_s), max(idle_s) FROM noted")) {
      noted.next();
      assertTrue(noted.getLong(1) < 3, "it waits anew");
      assertEquals(6, noted.getLong(2), "a client that is gone is waited for");
    }
  }

  /** The settings are those that a user makes for a session. */
  @Test
  void settingsAreGivenBackAsTheyWereFound() throws Exception {
    create("orders", 1, 10, 1);
    try (MariaDbPoolDataSource pool =
        new MariaDbPoolDataSource(server.url("ids") + "&maxPoolSize=1")) {
      for (String value : new String[] {"7", "9"}) {
        try (Connection connection = pool.getConnection();
            Statement statement = connection.createStatement()) {
          statement.execute(
              "SET SESSION innodb_lock_wait_timeout = " + value + ", SESSION lock_wait_timeout = 1"
                  + value + ", SESSION idle_transaction_timeout = 2" + value);
        }
        JdbcStore pooled = new JdbcStore(pool);
        pooled.allocate("orders", NONE);
        refused(Code.UNKNOWN_TAG, () -> pooled.allocate("none", NONE));
        try (Connection connection = pool.getConnection();
            Statement statement = connection.createStatement();
            ResultSet found =
                statement.executeQuery(
                    "SELECT concat_ws(' ', @@SESSION.innodb_lock_wait_timeout,"
                        + " @@SESSION.lock_wait_timeout, @@SESSION.idle_transaction_timeout)")) {
          found.next();
          assertEquals(value + " 1" + value + " 2" + value, found.getString(1));
        }
      }
    }
  }

  @Test
  void whatIsWrongHasItsCode() throws Exception {
    create("orders", 1, 10, 1);
    assertRefused(Code.STORE_MISSING, server.url("nothing"));
    server.execute("ids", "CREATE OR REPLACE USER reader", "GRANT SELECT ON ids.* TO reader");
    String url = server.url("ids").replace("user=root", "user=reader");
    assertRefused(Code.STORE_DENIED, url);
    assertRefused(Code.STORE_DENIED, url + "&password=wrong");
  }

  private static void assertRefused(Code code, String url) throws Exception {
    JdbcStore store = new JdbcStore(new MariaDbDataSource(url));
    refused(code, () -> store.allocate("orders", NONE));
  }
}
