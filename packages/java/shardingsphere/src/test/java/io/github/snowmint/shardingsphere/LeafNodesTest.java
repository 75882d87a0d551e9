package io.github.snowmint.shardingsphere;

import static io.github.snowmint.shardingsphere.Generators.key;
import static io.github.snowmint.shardingsphere.Generators.open;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Layout;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.testing.DatabaseServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Leaf's property names, and its nodes. */
class LeafNodesTest {
  private static final String SNOWFLAKE = "SNOWMINT_SNOWFLAKE";

  private static Generator at(DatabaseServer server, int port) {
    return open(
        SNOWFLAKE,
        "leaf.zk.list", "127.0.0.1:" + server.port(),
        "leaf.name", "com.example.orders",
        "leaf.snowflake.port", port,
        "leaf.key", "orders");
  }

  @Test
  void eachPortOfAMachineHasAWorkerId() throws Exception {
    try (DatabaseServer server = DatabaseServer.zookeeper();
        Generator first = at(server, 8080);
        Generator second = at(server, 8081)) {
      long key = key(first);
      assertTrue(key(first) > key);
      assertEquals(0, Layout.LEAF.decode(key).workerId());
      assertEquals(1, Layout.LEAF.decode(key(second)).workerId());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "leaf.zk.list=a:2181;leaf.snowflake.port=1, leaf.name",
    "leaf.zk.list=a:2181;leaf.name=a, leaf.snowflake.port",
    "leaf.zk.list=a:2181;leaf.name=a;leaf.snowflake.port=0, 1 to 65535",
    "leaf.zk.list=a/b;leaf.name=a;leaf.snowflake.port=1, host:2181",
    "leaf.zk.list=a;leaf.name=a/../b;leaf.snowflake.port=1, a name as",
    "leaf.zk.list=a;worker-id=7, two sources",
    "leaf.name=a;worker-id=7, no effect",
    "leaf.zk.list=a;leaf.name=a;leaf.snowflake.port=1;layout=leaf, no effect"
  })
  void whatIsWrongIsSaid(String properties, String says) {
    Object[] pairs = properties.replaceAll("=([^;]*)", ";$1").split(";");
    SnowmintException refused =
        assertThrows(SnowmintException.class, () -> open(SNOWFLAKE, pairs));
    assertTrue(refused.getMessage().contains(says), refused.getMessage());
  }
}
