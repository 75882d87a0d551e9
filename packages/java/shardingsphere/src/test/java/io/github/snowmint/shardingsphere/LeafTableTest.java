package io.github.snowmint.shardingsphere;

import static io.github.snowmint.shardingsphere.Generators.key;
import static io.github.snowmint.shardingsphere.Generators.open;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.testing.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Leaf's property names, and its table. */
class LeafTableTest {
  private static final String SEGMENT = "SNOWMINT_SEGMENT";

  @Test
  void keysAreAboveThoseOfLeaf() throws Exception {
    try (DatabaseServer server = DatabaseServer.mariadb()) {
      server.execute(
          "",
          "CREATE DATABASE leaf",
          "CREATE USER 'le@f' IDENTIFIED BY 's:3/4'",
          "GRANT ALL ON leaf.* TO 'le@f'");
      server.execute(
          "leaf",
          "CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL,"
              + " step INT NOT NULL, description VARCHAR(256), update_time TIMESTAMP)",
          "INSERT INTO leaf_alloc VALUES ('orders', 5001, 100, NULL, now())");
      String url = server.url("leaf").replaceFirst("\\?.*", "") + "?useSSL=false";
      Object[] properties = {
        "leaf.key", "orders",
        "leaf.jdbc.url", url.replace("jdbc:mariadb:", "jdbc:mysql:"),
        "leaf.jdbc.username", "le@f",
        "leaf.jdbc.password", "s:3/4"
      };
      try (Generator keys = open(SEGMENT, properties)) {
        assertEquals(5001, key(keys));
        assertEquals(5002, key(keys));
      }
      try (Connection connection = server.connect("leaf");
          ResultSet row =
              connection.createStatement().executeQuery("SELECT max_id FROM leaf_alloc")) {
        assertTrue(row.next() && row.getLong(1) >= 5101);
      }
      properties[7] = "S3CRET";
      SnowmintException refused =
          assertThrows(SnowmintException.class, () -> key(open(SEGMENT, properties)));
      assertEquals(Code.STORE_DENIED, refused.code());
      assertTrue(refused.getMessage().contains("leaf.jdbc.url"), refused.getMessage());
      assertFalse(refused.getMessage().contains("S3CRET"), refused.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "leaf.jdbc.url=jdbc:mysql://a/b, leaf.key",
    "leaf.jdbc.url=jdbc:oracle:thin:S3CRET;leaf.key=a, jdbc:mysql",
    "leaf.jdbc.url=jdbc:mysql://a/b;leaf.key=a;tag=a, tag",
    "leaf.jdbc.url=jdbc:mysql://a/b;leaf.key=a;url=segment:, two sources",
    "leaf.key=a;url=segment+sqlite:ids.db?tag=a, leaf.key"
  })
  void whatIsWrongIsSaid(String properties, String says) {
    Object[] pairs = properties.replaceAll("=([^;]*)", ";$1").split(";");
    SnowmintException refused =
        assertThrows(SnowmintException.class, () -> open(SEGMENT, pairs));
    assertTrue(refused.getMessage().contains(says), refused.getMessage());
    assertFalse(refused.getMessage().contains("S3CRET"), refused.getMessage());
  }
}
