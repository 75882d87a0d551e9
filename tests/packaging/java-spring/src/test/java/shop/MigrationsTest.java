package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications whose new database Flyway or Spring Boot fills, and whose sources begin in it. */
class MigrationsTest {
  private static final String NEVER = "snowmint.create-tables=never";

  /** One server after the other. */
  private interface Work {
    void run(DatabaseServer server, String folder) throws Exception;
  }

  /** Creates the schema in which the tables are looked for. */
  private static final String SCHEMA =
      "CREATE SCHEMA snowmint;\nSET LOCAL search_path = snowmint, pg_temp;\n\n";

  private static void onEach(Work work) throws Exception {
    try (DatabaseServer server = DatabaseServer.postgres()) {
      work.run(server, "postgres");
    }
    try (DatabaseServer server = DatabaseServer.mariadb()) {
      work.run(server, "mysql");
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
    onEach(
        (server, folder) -> assertMints(server, locations, "snowmint.create-tables=always"));
  }

  @Test
  void aMigrationInJavaMakesThem(@TempDir Path directory) throws Exception {
    String locations = "spring.flyway.locations=classpath:shop/byjava,filesystem:";
    onEach((server, folder) -> assertMints(server, locations + orders(directory), NEVER));
  }

  /** The key space notes the server and tables that it is on, which an earlier statement reads. */
  @Test
  void aMigrationInSqlMakesThem(@TempDir Path directory) throws Exception {
    String locations = "spring.flyway.locations=filesystem:" + orders(directory);
    onEach(
        (server, folder) -> {
          String incarnation = text(folder, "incarnation").replace(":is_synchronous", "0");
          String tables = parts(text(folder, "schema"));
          String text =
              folder.equals("postgres")
                  ? SCHEMA + tables + incarnation + ";\n\n" + parts(text(folder, "schema_row"))
                  : incarnation + ";\n\n" + tables;
          Files.writeString(directory.resolve("V2__snowmint.sql"), text);
          assertMints(server, locations, NEVER);
        });
  }

  private static String parts(String text) {
    return text.strip().replace("\n\n", ";\n\n") + ";\n";
  }

  private static String text(String folder, String name) throws Exception {
    try (InputStream file = JdbcStore.class.getResourceAsStream(folder + "/" + name + ".sql")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
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
