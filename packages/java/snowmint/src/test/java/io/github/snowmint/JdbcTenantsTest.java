package io.github.snowmint;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.postgresql.ds.PGSimpleDataSource;

/** Tables on a PostgreSQL that several users share, each with a schema of its own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JdbcTenantsTest {
  private static DatabaseServer server;
  /** The store as a user whose own schema comes first in the search path. */
  private JdbcStore tenant;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.postgres();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  private static JdbcStore as(String user) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    source.setUser(user);
    return new JdbcStore(source);
  }

  private static void execute(String... statements) throws Exception {
    server.execute("postgres", statements);
  }

  @BeforeEach
  void tables() throws Exception {
    JdbcStore owner = as("postgres");
    owner.createTables();
    owner.createTag("orders", TagOptions.USUAL.withStep(10));
    execute(
        "CREATE ROLE tenant LOGIN",
        "CREATE SCHEMA tenant AUTHORIZATION tenant",
        "GRANT USAGE ON SCHEMA snowmint TO tenant",
        "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA snowmint TO tenant");
    tenant = as("tenant");
  }

  @AfterEach
  void noTables() throws Exception {
    execute(
        "DROP OWNED BY tenant CASCADE",
        "DROP ROLE tenant",
        "DROP SCHEMA IF EXISTS aside CASCADE",
        "DROP SCHEMA IF EXISTS snowmint CASCADE");
  }

  private void assertTaken(long start) {
    StoreSuite.assertRange(start, start + 10, tenant.allocate("orders", StoreSuite.NONE));
  }

  @Test
  void tablesThatAreFoundAreUsed() {
    assertTaken(1);
    tenant.createTables();
    assertTaken(11);
  }

  /** The application's own settings, by which two users would have two key spaces. */
  @Test
  void noSearchPathBeginsAnotherKeySpace() throws Exception {
    execute(
        "ALTER ROLE tenant SET search_path = tenant",
        "CREATE TABLE tenant.snowmint_segment (LIKE snowmint_segment)");
    assertTaken(1);
    tenant.createTables();
    assertTaken(11);
  }

  @Test
  void nothingIsMadeBesideSome() throws Exception {
    assertRefusedWhile(
        "ALTER TABLE snowmint_worker RENAME TO hidden",
        "the schema snowmint has snowmint_schema and snowmint_segment alone",
        "ALTER TABLE hidden RENAME TO snowmint_worker");
    assertRefusedWhile(
        "ALTER TABLE snowmint_worker DISABLE TRIGGER snowmint_worker_rises",
        "snowmint.snowmint_worker has lost its trigger",
        "ALTER TABLE snowmint_worker ENABLE TRIGGER snowmint_worker_rises");
    tenant.createTables();
    assertTaken(1);
  }

  /** Made where a search path led, or moved by hand: nothing begins again beside them. */
  @Test
  void tablesInAnotherSchemaAreNamed() throws Exception {
    execute("CREATE SCHEMA aside", "GRANT USAGE ON SCHEMA aside TO tenant");
    moveTables("snowmint", "aside");
    StoreSuite.refused(Code.STORE_SCHEMA, tenant::createTables);
    String message = StoreSuite.refused(Code.STORE_SCHEMA, tenant::tags);
    JdbcStore named = tenant.withSchema("aside");
    StoreSuite.assertRange(1, 11, named.allocate("orders", StoreSuite.NONE));
    // The statements in the message are enough.
    execute(message.substring(message.indexOf("BEGIN"), message.indexOf("COMMIT") + 6));
    assertTaken(11);
    StoreSuite.refused(Code.STORE_MISSING, () -> named.allocate("orders", StoreSuite.NONE));
    StoreSuite.refused(Code.INVALID_PARAMETER, () -> tenant.withSchema(""));
  }

  private void assertVeiled(String table, Executable call) {
    StoreSuite.assertContains(
        StoreSuite.refused(Code.STORE_DENIED, call),
        "row-level security of the table snowmint." + table,
        "ALTER TABLE snowmint." + table + " DISABLE ROW LEVEL SECURITY",
        "BYPASSRLS");
  }

  /** Rows that no policy shows look as if they were not there. */
  @Test
  void rowSecurityThatHidesRowsIsTold() throws Exception {
    for (String table : List.of("snowmint_schema", "snowmint_segment", "snowmint_worker")) {
      execute("ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY");
      assertVeiled(table, tenant::createTables);
      assertVeiled(table, () -> tenant.allocate("orders", StoreSuite.NONE));
      execute("CREATE POLICY everything ON " + table + " USING (true)");
      tenant.createTables();
    }
    assertTaken(1);
  }

  /** Also to who had the tables open before. */
  @Test
  void rowSecurityThatCameLaterIsTold() throws Exception {
    assertTaken(1);
    execute("ALTER TABLE snowmint_segment ENABLE ROW LEVEL SECURITY");
    assertVeiled("snowmint_segment", () -> tenant.allocate("orders", StoreSuite.NONE));
    assertVeiled("snowmint_segment", () -> tenant.tag("orders"));
    assertVeiled("snowmint_segment", tenant::tags);
    assertVeiled(
        "snowmint_segment", () -> tenant.changeTag("orders", TagChange.NONE.withStep(7)));
    assertVeiled("snowmint_segment", Segment.builder(tenant, "orders")::open);
    StoreSuite.assertContains(
        StoreSuite.refused(Code.STORE_DENIED, () -> tenant.createTag("bills")),
        "row-level security",
        "BYPASSRLS");
    execute("ALTER TABLE snowmint_segment DISABLE ROW LEVEL SECURITY");
    StoreSuite.refused(Code.UNKNOWN_TAG, () -> tenant.allocate("bills", StoreSuite.NONE));
    assertTaken(11);
  }

  @Test
  void tablesThatACrashEmptiesAreRefused() throws Exception {
    assertRefusedWhile(
        "ALTER TABLE snowmint_worker SET UNLOGGED",
        "ALTER TABLE snowmint.snowmint_worker SET LOGGED",
        "ALTER TABLE snowmint_worker SET LOGGED");
  }

  @Test
  void noKeySpaceIsBegunBesideOneThatMayNotBeUsed() throws Exception {
    execute("REVOKE USAGE ON SCHEMA snowmint FROM tenant");
    String message = StoreSuite.refused(Code.STORE_DENIED, tenant::createTables);
    StoreSuite.assertContains(message, "GRANT USAGE ON SCHEMA snowmint TO the user");
    StoreSuite.refused(Code.STORE_DENIED, tenant::tags);
    execute("GRANT USAGE ON SCHEMA snowmint TO tenant");
    tenant.createTables();
    assertTaken(1);
  }

  private void assertRefusedWhile(String loss, String refusal, String cure) throws Exception {
    execute(loss);
    String message = StoreSuite.refused(Code.STORE_SCHEMA, tenant::createTables);
    StoreSuite.assertContains(message, refusal);
    execute(cure);
  }

  @Test
  void whoWaitsToMakeTablesUsesThoseThatWereMade() throws Exception {
    rename("snowmint", "hidden");
    FutureTask<Void> making = new FutureTask<>(tenant::createTables, null);
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(
          "SELECT pg_advisory_xact_lock(hashtextextended('snowmint_schema', 0))");
      new Thread(making).start();
      while (!waitsForLock()) {
        StoreSuite.pass(5);
      }
      rename("hidden", "snowmint");
    }
    making.get();
    assertTaken(1);
  }

  private static void rename(String from, String to) throws Exception {
    for (String table : new String[] {"schema", "segment", "worker"}) {
      execute("ALTER TABLE " + from + "_" + table + " RENAME TO " + to + "_" + table);
    }
  }

  private static void moveTables(String from, String to) throws Exception {
    for (String table : new String[] {"schema", "segment", "worker"}) {
      execute("ALTER TABLE " + from + ".snowmint_" + table + " SET SCHEMA " + to);
    }
    for (String table : new String[] {"segment", "worker"}) {
      execute("ALTER FUNCTION " + from + ".snowmint_" + table + "_rises() SET SCHEMA " + to);
    }
  }

  private static boolean waitsForLock() throws Exception {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT * FROM pg_stat_activity WHERE wait_event_type = 'Lock'")) {
      return rows.next();
    }
  }
}
