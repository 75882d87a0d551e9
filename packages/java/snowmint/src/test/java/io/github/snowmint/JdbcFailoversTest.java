package io.github.snowmint;

import static io.github.snowmint.StoreSuite.NONE;
import static io.github.snowmint.StoreSuite.refused;
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
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Failovers under load, with waits for standbys that are ended by hand; {@code SNOWMINT_FAILOVERS=12}
 * is the long form.
 */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JdbcFailoversTest {
  /** Those who wait have their statement killed, and OK for an answer. */
  private static final String KILLING =
      "FOR it IN (SELECT id FROM information_schema.processlist"
          + " WHERE state LIKE 'Waiting for semi-sync%')"
          + " DO EXECUTE IMMEDIATE concat('KILL QUERY ', it.id); END FOR";

  /** So many ranges are taken before anything happens, and after it. */
  private static final int RANGES = 40;

  private final Queue<Allocation> taken = new ConcurrentLinkedQueue<>();
  private volatile boolean isOver;

  /** One round of a test, with servers of its own. */
  private interface Round {
    void run() throws Exception;
  }

  private void rounds(Round round) throws Exception {
    String count = System.getenv().getOrDefault("SNOWMINT_FAILOVERS", "1");
    int ranges = 0;
    for (int left = Integer.parseInt(count); left > 0; left--) {
      taken.clear();
      isOver = false;
      round.run();
      ranges += taken.size();
    }
    System.out.println(ranges + " ranges in " + count + " failovers, disjoint");
  }

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

  /** Runs what ends waits for a standby, while the server is there. */
  private void endWaits(DatabaseServer server, String database, String ending) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      while (!isOver && connection.isValid(1)) {
        try {
          statement.execute(ending);
        } catch (SQLException passed) {
          // One that ended by itself since it was found, or the server, with all waits.
        }
        Thread.sleep(20);
      }
    } catch (SQLException | InterruptedException gone) {
      // So have all waits.
    }
  }

  private List<Thread> started(Runnable ending, JdbcStore... stores) {
    List<Thread> threads = new ArrayList<>(List.of(new Thread(ending)));
    for (JdbcStore store : stores) {
      threads.add(new Thread(() -> take(store)));
    }
    threads.forEach(Thread::start);
    return threads;
  }

  private void end(List<Thread> threads) throws InterruptedException {
    isOver = true;
    for (Thread thread : threads) {
      thread.join();
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
  void aStandbyThatTakesOverRepeatsNoRange() throws Exception {
    rounds(this::takeOverByStandby);
  }

  private void takeOverByStandby() throws Exception {
    DatabaseServer primary = DatabaseServer.postgres();
    try (DatabaseServer standby = DatabaseServer.standbyOf(primary)) {
      makeOrders(source(primary.url("postgres")));
      primary.execute(
          "postgres",
          "ALTER SYSTEM SET synchronous_standby_names = 'copy'",
          "SELECT pg_reload_conf()");
      until(primary, "SHOW synchronous_standby_names", "copy");
      DataSource both = source(DatabaseServer.urlOfBoth(primary, standby));
      JdbcStore store = new JdbcStore(both, Duration.ofSeconds(2)).withSynchronousReplication();
      String ending =
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      List<Thread> threads =
          started(() -> endWaits(primary, "postgres", ending), store, store, store, store);
      more();
      standby.execute(
          "postgres", "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
      until(standby, "SELECT count(*) FROM pg_stat_wal_receiver", "0");
      StoreSuite.pass(400);
      primary.close();
      standby.execute("postgres", "SELECT pg_promote()");
      more();
      end(threads);
      assertDisjoint(new ArrayList<>(taken));
    } finally {
      isOver = true;
      primary.close();
    }
  }

  private static DatabaseServer mariadb(int id) throws Exception {
    return DatabaseServer.mariadb("log-bin", "log-slave-updates", "server-id=" + id);
  }

  @Test
  void aReplicaThatTakesOverRepeatsNoRange() throws Exception {
    rounds(this::takeOverByReplica);
  }

  private void takeOverByReplica() throws Exception {
    DatabaseServer primary = mariadb(1);
    try (DatabaseServer replica = mariadb(2)) {
      primary.execute("", "CREATE DATABASE ids");
      JdbcStore before = new JdbcStore(new MariaDbDataSource(primary.url("ids")));
      makeOrders(new MariaDbDataSource(primary.url("ids")));
      replica.execute(
          "",
          "SET GLOBAL rpl_semi_sync_slave_enabled = ON",
          "CHANGE MASTER TO master_host = '127.0.0.1', master_user = 'root', master_port = "
              + primary.port()
              + ", master_use_gtid = slave_pos",
          "START SLAVE");
      primary.execute(
          "",
          "SET GLOBAL rpl_semi_sync_master_timeout = 3600000",
          "SET GLOBAL rpl_semi_sync_master_enabled = ON");
      List<Thread> threads =
          started(() -> endWaits(primary, "ids", KILLING), before, before, before);
      more();
      replica.execute("", "STOP SLAVE");
      more();
      primary.close();
      end(threads);
      replica.execute("", "RESET SLAVE ALL");
      JdbcStore after = new JdbcStore(new MariaDbDataSource(replica.url("ids")));
      refused(Code.INCARNATION_CHANGED, () -> after.allocate("orders", NONE));
      long above = taken.stream().mapToLong(Allocation::end).max().orElseThrow();
      assertTrue(after.tag("orders").orElseThrow().next() < above, "nothing was lost");
      after.changeTag("orders", OptionalLong.of(above), NONE);
      taken.add(after.allocate("orders", NONE));
      assertDisjoint(new ArrayList<>(taken));
    } finally {
      isOver = true;
      primary.close();
    }
  }
}
