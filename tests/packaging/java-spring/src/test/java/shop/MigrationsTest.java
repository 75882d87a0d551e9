package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.Store;
import io.github.snowmint.testing.DatabaseServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications whose new database Flyway or Spring Boot fills, and whose sources begin in it. */
class MigrationsTest {
  private static final String NEVER = "snowmint.create-tables=never";

  /** One server after the other. */
  private interface Work {
    void run(DatabaseServer server) throws Exception;
  }

  private static void onEach(Work work) throws Exception {
    try (DatabaseServer server = DatabaseServer.postgres()) {
      work.run(server);
    }
    try (DatabaseServer server = DatabaseServer.mariadb()) {
      work.run(server);
    }
  }

  /** Writes the migration that makes the application's own table. */
  private static Path orders(Path directory) throws Exception {
    Files.writeString(
        directory.resolve("V1__orders.sql"), "CREATE TABLE orders (id BIGINT PRIMARY KEY);\n");
    return directory;
  }

  private static void assertMints(DatabaseServer server, String... properties) throws Exception {
    server.execute("", "CREATE DATABASE shop");
    String[] all = new String[properties.length + 1];
    System.arraycopy(properties, 0, all, 1, properties.length);
    all[0] = "spring.datasource.url=" + server.url("shop");
    for (int start = 0; start < 2; start++) {
      try (ConfigurableApplicationContext shop = ShopTest.start(ShopTest.Numbers.class, all)) {
        assertTrue(shop.getBean(Snowflake.class).nextId() > 0);
        assertTrue(shop.getBean(Segment.class).nextId() >= 1);
      }
    }
    try (Connection connection = server.connect("shop");
        Statement statement = connection.createStatement();
        ResultSet orders = statement.executeQuery("SELECT count(*) FROM orders")) {
      orders.next();
      assertEquals(0, orders.getInt(1));
    }
  }

  @Test
  void tablesAreMadeAfterTheMigrations(@TempDir Path directory) throws Exception {
    String locations = "spring.flyway.locations=filesystem:" + orders(directory);
    onEach(server -> assertMints(server, locations, "snowmint.create-tables=always"));
  }

  @Test
  void aMigrationInJavaMakesThem(@TempDir Path directory) throws Exception {
    String locations = "spring.flyway.locations=classpath:shop/byjava,filesystem:";
    onEach(server -> assertMints(server, locations + orders(directory), NEVER));
  }

  @Test
  void aMigrationInSqlMakesThem(@TempDir Path directory) throws Exception {
    String locations = "spring.flyway.locations=filesystem:" + orders(directory);
    onEach(
        server -> {
          server.execute("", "CREATE DATABASE planned");
          List<String> statements = Store.migration(server.sourceUrl("planned")).statements();
          String text = String.join(";\n\n", statements) + ";\n";
          Files.writeString(directory.resolve("V2__snowmint.sql"), text);
          assertMints(server, locations, NEVER);
        });
  }

  @Test
  void theScriptOfSpringBootRunsBefore(@TempDir Path directory) throws Exception {
    Path script = directory.resolve("schema.sql");
    Files.writeString(script, "CREATE SCHEMA snowmint;\n");
    try (DatabaseServer server = DatabaseServer.postgres();
        ConfigurableApplicationContext shop =
            ShopTest.start(
                ShopTest.Numbers.class,
                "spring.datasource.url=" + server.url("postgres"),
                "spring.sql.init.mode=always",
                "spring.sql.init.schema-locations=file:" + script,
                "snowmint.create-tables=always")) {
      assertEquals(1, shop.getBean(Segment.class).nextId());
    }
  }
}
