package io.github.snowmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.testing.DatabaseServer;
import io.github.snowmint.testing.Readme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of README.md, run. */
class ReadmeTest {
  private static final String EXAMPLE =
      """
      import java.io.File;
      import java.sql.*;
      import javax.sql.DataSource;
      import org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory;

      public class Example {
        public static void main(String[] arguments) throws Exception {
          %s
          ((AutoCloseable) orders).close();
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void itsLinesRun() throws Exception {
    String example = EXAMPLE.formatted(Readme.blocks("java").get(0));
    List<String> yaml = Readme.blocks("yaml");
    try (DatabaseServer server = DatabaseServer.mariadb()) {
      ShardedOrders.createTables(server, "BIGINT");
      Path file = Path.of("orders.yaml");
      String config = place(yaml.get(0), server);
      Files.writeString(file, config);
      String snowflake = Readme.run(example, directory);
      assertTrue(snowflake.matches("order \\d+\\R"), snowflake);

      String segment = place(yaml.get(1), server).indent(6);
      int generator = config.indexOf("      type: SNOWMINT_SNOWFLAKE");
      Files.writeString(file, config.substring(0, generator) + segment);
      assertEquals("order 1", Readme.run(example, directory).strip());
    }
  }

  private String place(String yaml, DatabaseServer server) {
    return yaml.replace("jdbc:mariadb://127.0.0.1:3306/orders_0", server.url("orders_0"))
        .replace("jdbc:mariadb://127.0.0.1:3306/orders_1", server.url("orders_1"))
        .replace("/var/lib/orders", directory.resolve("state").toString());
  }
}
