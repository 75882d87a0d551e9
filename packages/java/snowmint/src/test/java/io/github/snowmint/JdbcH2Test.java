package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.snowmint.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2, as an application's tests have it. */
class JdbcH2Test extends JdbcStoreSuite {
  @TempDir Path directory;

  private static JdbcDataSource h2(String url) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(url);
    return source;
  }

  @Override
  DataSource database() {
    return h2("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
  }

  @Override
  int[] levels() {
    return new int[] {
      Connection.TRANSACTION_READ_UNCOMMITTED,
      Connection.TRANSACTION_READ_COMMITTED,
      Connection.TRANSACTION_REPEATABLE_READ,
      Connection.TRANSACTION_SERIALIZABLE
    };
  }

  @Override
  boolean boundsAnswers() {
    return false;
  }

  @Test
  void itPassesForOtherDatabases() {
    for (String mode :
        new String[] {
          "PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
          "MySQL",
          "Oracle",
          "Regular;DATABASE_TO_UPPER=FALSE",
          "MySQL;DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE"
        }) {
      String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;MODE=" + mode;
      JdbcStore other = new JdbcStore(h2(url));
      other.createTables();
      other.createTables();
      other.ensureTag("orders");
      other.ensureTag("orders");
      try (Segment orders = Segment.builder(other, "orders").open();
          Snowflake flake = Snowflake.builder().leaseFrom(other).open()) {
        assertEquals(1, orders.nextId());
        flake.nextId();
      }
    }
  }

  @Test
  void aDatabaseInMemoryEndsWithItsConnections() {
    for (String url : new String[] {"jdbc:h2:mem:", "jdbc:h2:mem:" + UUID.randomUUID()}) {
      JdbcStore inMemory = new JdbcStore(h2(url));
      inMemory.createTables();
      assertContains(
          refused(Code.STORE_MISSING, () -> inMemory.ensureTag("orders")), "DB_CLOSE_DELAY=-1");
    }
  }

  @Test
  void aFileGoesOn() {
    DataSource file = h2("jdbc:h2:" + directory.resolve("shop"));
    JdbcStore first = new JdbcStore(file);
    first.createTables();
    first.createTag("orders", new TagOptions(1, 10, 1));
    assertRange(1, 11, first.allocate("orders", NONE));
    assertRange(11, 21, new JdbcStore(file).allocate("orders", NONE));
  }
}
