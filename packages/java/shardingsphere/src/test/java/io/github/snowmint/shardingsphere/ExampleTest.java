package io.github.snowmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import io.github.snowmint.testing.Example;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the documentation, with each kind of keys. */
class ExampleTest {
  @TempDir Path directory;

  @Test
  void itRuns() throws Exception {
    String program = Example.read("Shop.java");
    try (DatabaseServer server = DatabaseServer.mariadb()) {
      ShardedOrders.createTables(server, "BIGINT");
      Path file = Path.of("orders.yaml");
      String yaml = place(Example.read("orders.yaml"), server);
      new JdbcStore(new DriverManagerSource(server.url("orders_0"), null, null)).createTables();
      Files.writeString(file, yaml);
      String leased = Example.run(program, directory);
      assertTrue(leased.matches("order \\d+\\R"), leased);

      String shards = yaml.substring(0, yaml.indexOf("  keyGenerators:"));
      String fixed = Example.read("fixed.yaml");
      assertTrue(fixed.contains("worker-id: env #"), fixed);
      Files.writeString(file, shards + place(fixed.replace("env", "7"), server));
      String flake = Example.run(program, directory);
      assertTrue(flake.matches("order \\d+\\R"), flake);

      Files.writeString(file, shards + place(Example.read("segment.yaml"), server));
      assertEquals("order 1", Example.run(program, directory).strip());
    }
  }

  private String place(String yaml, DatabaseServer server) {
    return yaml.replace("jdbc:mariadb://127.0.0.1:3306/orders_0", server.url("orders_0"))
        .replace("jdbc:mariadb://127.0.0.1:3306/orders_1", server.url("orders_1"))
        .replace("/var/lib/orders", directory.resolve("state").toString());
  }
}
