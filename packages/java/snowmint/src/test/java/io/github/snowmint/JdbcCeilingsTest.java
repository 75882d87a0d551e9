package io.github.snowmint;

import static io.github.snowmint.StoreSuite.NONE;
import static io.github.snowmint.StoreSuite.assertContains;
import static io.github.snowmint.StoreSuite.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Ranges below a ceiling that standbys have confirmed. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JdbcCeilingsTest {
  private static final long NUMBERS = 300;
  /** So many ranges are taken before anything happens, and after it. */
  private static final int RANGES = 40;

  private final Queue<Allocation> taken = new ConcurrentLinkedQueue<>();
  private volatile boolean isOver;

  private static DataSource source(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(url);
    return source;
  }

  private static void makeOrders(DataSource source) {
    JdbcStore store = new JdbcStore(source);
    store.createTables();
    store.createTag("orders", new TagOptions(1, 10, 1));
  }

  private static String text(DatabaseServer server, String query) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static void until(DatabaseServer server, String query, String found) throws Exception {
    while (!found.equals(text(server, query))) {
      Thread.sleep(10);
    }
  }

  /** What a wait for a standby is ended by, while the server is there. */
  private void cancelWaits(DatabaseServer server) {
    while (!isOver) {
      try (Connection connection = server.connect("postgres");
          Statement statement = connection.createStatement()) {
        while (!isOver) {
          statement.execute(
              "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
          Thread.sleep(20);
        }
      } catch (SQLException | InterruptedException gone) {
        return;
      }
    }
  }

  private void take(JdbcStore store) {
    while (!isOver) {
      try {
        taken.add(store.allocate("orders", NONE));
      } catch (SnowmintException refusal) {
        StoreSuite.pass(10);
      }
    }
  }

  private void more() {
    int before = taken.size();
    while (taken.size() < before + RANGES) {
      StoreSuite.pass(10);
    }
  }

  private static void assertDisjoint(List<Allocation> ranges) {
    ranges.sort(Comparator.comparingLong(Allocation::start));
    for (int at = 1; at < ranges.size(); at++) {
      assertTrue(ranges.get(at - 1).end() <= ranges.get(at).start(), "twice: " + ranges.get(at));
    }
  }

  @Test
  void whoTakesOverRepeatsNoRange() throws Exception {
    DatabaseServer primary = DatabaseServer.postgres();
    try (DatabaseServer standby = DatabaseServer.standbyOf(primary)) {
      makeOrders(source(primary.url("postgres")));
      primary.execute(
          "postgres",
          "ALTER SYSTEM SET synchronous_standby_names = 'copy'",
          "SELECT pg_reload_conf()");
      until(primary, "SHOW synchronous_standby_names", "copy");
      List<Thread> threads = new ArrayList<>();
      threads.add(new Thread(() -> cancelWaits(primary)));
      DataSource both = source(DatabaseServer.urlOfBoth(primary, standby));
      JdbcStore plain = new JdbcStore(both, Duration.ofSeconds(2));
      JdbcStore below = plain.withCeiling(NUMBERS);
      for (JdbcStore store : List.of(below, below, below, plain)) {
        threads.add(new Thread(() -> take(store)));
      }
      threads.forEach(Thread::start);
      more();
      standby.execute(
          "postgres", "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
      until(standby, "SELECT count(*) FROM pg_stat_wal_receiver", "0");
      StoreSuite.pass(400);
      primary.close();
      standby.execute("postgres", "SELECT pg_promote()");
      more();
      isOver = true;
      for (Thread thread : threads) {
        thread.join();
      }
      assertDisjoint(new ArrayList<>(taken));
    } finally {
      isOver = true;
      primary.close();
    }
  }

  @Test
  void ceilingsNeedStandbysThatConfirm() throws Exception {
    try (DatabaseServer postgres = DatabaseServer.postgres()) {
      DataSource source = source(postgres.url("postgres"));
      makeOrders(source);
      JdbcStore store = new JdbcStore(source).withCeiling(NUMBERS);
      String refusal = refused(Code.UNSAFE_SETTING, () -> store.allocate("orders", NONE));
      assertContains(refusal, "synchronous_standby_names = '2 (a, b)'");
      assertEquals("0", text(postgres, "SELECT pending FROM snowmint_segment"));
      refused(Code.INVALID_STEP, () -> store.withCeiling(0));
    }
    try (DatabaseServer mariadb = DatabaseServer.mariadb()) {
      mariadb.execute("", "CREATE DATABASE ids");
      MariaDbDataSource source = new MariaDbDataSource(mariadb.url("ids"));
      makeOrders(source);
      refused(
          Code.UNSUPPORTED,
          () -> new JdbcStore(source).withCeiling(NUMBERS).allocate("orders", NONE));
    }
  }
}
