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
  /** Of a user who finds his own schema before public's, which has the tables. */
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
        "GRANT SELECT, INSERT, UPDATE ON snowmint_worker, snowmint_segment, snowmint_schema"
            + " TO tenant");
    tenant = as("tenant");
  }

  @AfterEach
  void noTables() throws Exception {
    execute(
        "DROP OWNED BY tenant CASCADE",
        "DROP ROLE tenant",
        "DROP SCHEMA IF EXISTS aside CASCADE",
        "DROP TABLE IF EXISTS snowmint_schema, snowmint_worker, snowmint_segment, hidden");
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

  /** Tables are looked for in all schemas of the search path, and would be made in its first. */
  @Test
  void nothingIsMadeThatWouldHideAKeySpace() throws Exception {
    assertRefusedWhile(
        "ALTER TABLE snowmint_worker RENAME TO hidden",
        "shows public.snowmint_schema and public.snowmint_segment alone",
        "ALTER TABLE hidden RENAME TO snowmint_worker");
    assertRefusedWhile(
        "CREATE TABLE tenant.snowmint_segment (LIKE snowmint_segment)",
        "and tenant.snowmint_segment alone",
        "DROP TABLE tenant.snowmint_segment");
    assertRefusedWhile(
        "ALTER TABLE snowmint_worker DISABLE TRIGGER snowmint_worker_rises",
        "public.snowmint_worker has lost its trigger",
        "ALTER TABLE snowmint_worker ENABLE TRIGGER snowmint_worker_rises");
    assertRefusedWhile(
        "ALTER TABLE snowmint_worker SET SCHEMA tenant",
        "move or drop those that hide others",
        "ALTER TABLE tenant.snowmint_worker SET SCHEMA public");
    tenant.createTables();
    assertTaken(1);
  }

  /** Nor by who does not call createTables(): others use the tables that are hidden. */
  @Test
  void tablesThatHideOthersAreNotUsed() throws Exception {
    execute("CREATE TABLE tenant.snowmint_segment (LIKE snowmint_segment)");
    StoreSuite.refused(Code.STORE_SCHEMA, tenant::tags);
    StoreSuite.refused(Code.STORE_SCHEMA, () -> tenant.createTag("new"));
    execute("DROP TABLE tenant.snowmint_segment");
    assertTaken(1);
  }

  private void assertVeiled(String table, Executable call) {
    StoreSuite.assertContains(
        StoreSuite.refused(Code.STORE_DENIED, call),
        "row-level security of the table public." + table,
        "ALTER TABLE \"public\"." + table + " DISABLE ROW LEVEL SECURITY",
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
        "ALTER TABLE \"public\".snowmint_worker SET LOGGED",
        "ALTER TABLE snowmint_worker SET LOGGED");
  }

  /** A search passes over schemas that its user may not use. */
  @Test
  void noKeySpaceIsBegunBesideOneThatMayNotBeUsed() throws Exception {
    execute("CREATE SCHEMA aside", "ALTER ROLE tenant SET search_path = \"$user\", aside, public");
    moveTables("public", "aside");
    String message = StoreSuite.refused(Code.STORE_DENIED, tenant::createTables);
    StoreSuite.assertContains(message, "GRANT USAGE ON SCHEMA \"aside\" TO him");
    StoreSuite.refused(Code.STORE_DENIED, tenant::tags);
    execute("GRANT USAGE ON SCHEMA aside TO tenant");
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
    execute("CREATE SCHEMA aside");
    moveTables("public", "aside");
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
      moveTables("aside", "public");
    }
    making.get();
    assertTaken(1);
  }

  private static void moveTables(String from, String to) throws Exception {
    for (String table : new String[] {"schema", "segment", "worker"}) {
      execute("ALTER TABLE " + from + ".snowmint_" + table + " SET SCHEMA " + to);
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
