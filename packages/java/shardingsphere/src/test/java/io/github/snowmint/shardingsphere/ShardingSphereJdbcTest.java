package io.github.snowmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Code;
import io.github.snowmint.Layout;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.Store;
import io.github.snowmint.testing.DatabaseServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.apache.shardingsphere.infra.spi.type.ordered.cache.OrderedServicesCache;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ShardingSphere-JDBC over two databases of MariaDB, with keys made by this module. */
class ShardingSphereJdbcTest {
  private static DatabaseServer server;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.mariadb();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void tables() throws Exception {
    ShardedOrders.createTables(server, "BIGINT");
    server.execute(
        "orders_0", "DROP TABLE IF EXISTS snowmint_schema, snowmint_worker, snowmint_segment");
  }

  private ShardedOrders worker(int workerId, String more) throws Exception {
    String properties = "worker-id: " + workerId + ", state-directory: '" + directory + "'" + more;
    return ShardedOrders.open(server, "SNOWMINT_SNOWFLAKE", properties);
  }

  private String database() {
    return "jdbc-url: '" + server.url("orders_0") + "', jdbc-username: root, ";
  }

  /** Every key lies in the shard that it names, and is reported. */
  private static Map<String, List<Object>> assertShards(List<Object> reported) throws Exception {
    Map<String, List<Object>> shards = ShardedOrders.shards(server);
    Set<Object> stored = new HashSet<>();
    shards.forEach(
        (shard, keys) -> {
          for (Object key : keys) {
            long id = (Long) key;
            assertEquals("orders_" + id % 2 + ".t_order_" + id / 2 % 2, shard);
          }
          stored.addAll(keys);
        });
    assertEquals(new HashSet<>(reported), stored);
    assertEquals(reported.size(), stored.size());
    return shards;
  }

  private static void assertEven(Map<String, List<Object>> shards, int keys) {
    int each = keys / shards.size();
    shards.forEach(
        (shard, held) ->
            assertTrue(
                Math.abs(held.size() - each) <= Math.max(2, each / 10),
                () -> shard + " has " + held.size() + " of " + keys));
  }

  @Test
  void rowsWithoutAKeyGetOne() throws Exception {
    List<Object> keys = new ArrayList<>();
    try (ShardedOrders orders = worker(7, "");
        Connection connection = orders.connect()) {
      keys.addAll(ShardedOrders.insert(connection, 1));
      keys.addAll(ShardedOrders.insert(connection, 5));
      assertEquals(6, keys.size());
      for (Object key : keys) {
        assertEquals(7, Layout.SHARDINGSPHERE.decode((Long) key).workerId());
      }
      try (Statement plain = connection.createStatement()) {
        plain.executeUpdate("INSERT INTO t_order (order_id, item) VALUES (5, 'tea')");
        keys.add(5L);
        String insert = "INSERT INTO t_order (item) VALUES ('tea')";
        assertEquals(1, plain.executeUpdate(insert, Statement.RETURN_GENERATED_KEYS));
        keys.addAll(ShardedOrders.keys(plain));
      }
      assertShards(keys);
    }
  }

  @Test
  void aBatchGetsOneEach() throws Exception {
    try (ShardedOrders orders = worker(7, "");
        Connection connection = orders.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO t_order (item) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
      for (int row = 0; row < 40; row++) {
        insert.setString(1, "tea");
        insert.addBatch();
      }
      insert.executeBatch();
      assertEven(assertShards(ShardedOrders.keys(insert)), 40);
    }
  }

  @Test
  void insertsApartFillShardsEvenly() throws Exception {
    List<Object> keys = new ArrayList<>();
    try (ShardedOrders orders = worker(7, "");
        Connection connection = orders.connect()) {
      for (int row = 0; row < 80; row++) {
        keys.addAll(ShardedOrders.insert(connection, 1));
        Thread.sleep(5);
      }
    }
    long ticks = keys.stream().map(ShardingSphereJdbcTest::time).distinct().count();
    assertTrue(2 * ticks > keys.size(), "most have a millisecond of their own");
    assertEven(assertShards(keys), keys.size());
  }

  @Test
  void burstsFillShardsEvenly() throws Exception {
    List<Object> keys = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (ShardedOrders orders = worker(7, "")) {
      List<Callable<List<Object>>> calls = new ArrayList<>();
      for (int rows : new int[] {1, 10, 100, 1_000}) {
        calls.add(() -> insertRepeatedly(orders, rows));
      }
      for (var result : threads.invokeAll(calls)) {
        keys.addAll(result.get());
      }
    } finally {
      threads.shutdown();
    }
    assertEven(assertShards(keys), keys.size());
  }

  private static List<Object> insertRepeatedly(ShardedOrders orders, int rows) throws Exception {
    List<Object> keys = new ArrayList<>();
    try (Connection connection = orders.connect()) {
      for (int insert = 0; insert < 2_000 / rows && insert < 100; insert++) {
        keys.addAll(ShardedOrders.insert(connection, rows));
      }
    }
    return keys;
  }

  @Test
  void vibrationIsAsShardingSpheres() throws Exception {
    List<Object> keys = new ArrayList<>();
    try (ShardedOrders orders = worker(7, ", max-vibration-offset: 0");
        Connection connection = orders.connect()) {
      for (int row = 0; row < 20; row++) {
        keys.addAll(ShardedOrders.insert(connection, 1));
        Thread.sleep(5);
      }
    }
    Instant last = null;
    for (Object key : keys) {
      if (!time(key).equals(last)) {
        assertEquals(0, Layout.SHARDINGSPHERE.decode((Long) key).sequence());
        last = time(key);
      }
    }
    assertShards(keys);
  }

  private static Instant time(Object key) {
    return Layout.SHARDINGSPHERE.decode((Long) key).time();
  }

  @Test
  void aWorkerIdFromTheDatabase() throws Exception {
    String leased = database() + "create: true";
    List<Object> keys = new ArrayList<>();
    try (ShardedOrders first = ShardedOrders.open(server, "SNOWMINT_SNOWFLAKE", leased);
        ShardedOrders second =
            ShardedOrders.open(
                server, "SNOWMINT_SNOWFLAKE", leased + ", max-vibration-offset: 3");
        Connection one = first.connect();
        Connection other = second.connect()) {
      keys.addAll(ShardedOrders.insert(one, 3));
      keys.addAll(ShardedOrders.insert(other, 3));
    }
    assertNotEquals(
        Layout.SHARDINGSPHERE.decode((Long) keys.get(0)).workerId(),
        Layout.SHARDINGSPHERE.decode((Long) keys.get(3)).workerId());
    assertShards(keys);
  }

  @Test
  void segmentsFromTheDatabase() throws Exception {
    String segment = database() + "tag: orders, create: true, start: 100";
    List<Object> keys = new ArrayList<>();
    try (ShardedOrders orders = ShardedOrders.open(server, "SNOWMINT_SEGMENT", segment);
        Connection connection = orders.connect()) {
      for (int row = 0; row < 20; row++) {
        keys.addAll(ShardedOrders.insert(connection, 1));
      }
      keys.addAll(ShardedOrders.insert(connection, 20));
    }
    assertEquals(LongStream.range(100, 140).boxed().toList(), keys);
    assertEven(assertShards(keys), keys.size());
  }

  @Test
  void whatIsNotInTheDatabase() {
    Path file = directory.resolve("ids.db");
    Store.createSqlite(file);
    SnowmintException missing =
        assertThrows(
            SnowmintException.class,
            () -> ShardedOrders.open(server, "SNOWMINT_SEGMENT", database() + "tag: orders"));
    assertEquals(Code.STORE_MISSING, missing.code());
    assertTrue(missing.getMessage().contains("create"), missing.getMessage());
    SnowmintException url =
        assertThrows(
            SnowmintException.class,
            () ->
                ShardedOrders.open(
                    server,
                    "SNOWMINT_SEGMENT",
                    "url: 'segment+sqlite:" + file + "?tag=orders'"));
    assertEquals(Code.UNKNOWN_TAG, url.code());
  }

  @Test
  void uuidsAsKeys() throws Exception {
    ShardedOrders.createTables(server, "CHAR(32)");
    List<Object> keys = new ArrayList<>();
    try (ShardedOrders orders = ShardedOrders.open(server, "SNOWMINT_UUID", "version: 7");
        Connection connection = orders.connect()) {
      keys.addAll(ShardedOrders.insert(connection, 1));
      keys.addAll(ShardedOrders.insert(connection, 99));
    }
    Map<String, List<Object>> shards = ShardedOrders.shards(server);
    Set<Object> stored = new HashSet<>();
    shards.values().forEach(stored::addAll);
    assertEquals(new HashSet<>(keys), stored);
    assertEquals(100, stored.size());
    assertTrue(shards.values().stream().noneMatch(List::isEmpty), shards::toString);
  }

  @Test
  void twoDataSourcesShareAWorkerId() throws Exception {
    List<Object> keys = new ArrayList<>();
    ShardedOrders first = worker(7, "");
    try (ShardedOrders second = worker(7, "");
        Connection connection = second.connect()) {
      try (Connection other = first.connect()) {
        for (int row = 0; row < 10; row++) {
          keys.addAll(ShardedOrders.insert(connection, 1));
          keys.addAll(ShardedOrders.insert(other, 1));
        }
      }
      first.close();
      keys.addAll(ShardedOrders.insert(connection, 1));
    }
    assertShards(keys);
  }

  @Test
  void aClosedDataSourceGivesTheWorkerIdBack() throws Exception {
    insertAndClose();
    OrderedServicesCache.clearCache(); // Would keep the rules until memory is short.
    for (int tried = 1; ; tried++) {
      System.gc();
      try {
        otherKeysOfWorker7();
        return;
      } catch (SnowmintException failure) {
        assertEquals(Code.WORKER_IN_USE, failure.code());
        if (tried == 300) {
          throw failure;
        }
        Thread.sleep(10);
      }
    }
  }

  private void insertAndClose() throws Exception {
    try (ShardedOrders orders = worker(7, "");
        Connection connection = orders.connect()) {
      ShardedOrders.insert(connection, 1);
      SnowmintException refusal = assertThrows(SnowmintException.class, this::otherKeysOfWorker7);
      assertEquals(Code.WORKER_IN_USE, refusal.code());
    }
  }

  private void otherKeysOfWorker7() {
    Generators.open(
            "SNOWMINT_SNOWFLAKE",
            "worker-id", 7,
            "state-directory", directory.toString(),
            "max-vibration-offset", 1)
        .close();
  }

  @Test
  void anErrorHasItsCode() throws Exception {
    String segment = database() + "tag: few, create: true, start: 9223372036854775806";
    try (ShardedOrders orders = ShardedOrders.open(server, "SNOWMINT_SEGMENT", segment);
        Connection connection = orders.connect()) {
      SQLException failure =
          assertThrows(
              SQLException.class,
              () -> {
                while (true) {
                  ShardedOrders.insert(connection, 1);
                }
              });
      Throwable cause = failure;
      while (cause != null && !(cause instanceof SnowmintException)) {
        cause = cause.getCause();
      }
      assertEquals(
          Code.TAG_EXHAUSTED, assertInstanceOf(SnowmintException.class, cause).code());
    }
  }
}
