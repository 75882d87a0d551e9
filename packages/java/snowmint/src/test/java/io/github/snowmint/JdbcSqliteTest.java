package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.snowmint.jdbc.JdbcStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

class JdbcSqliteTest extends JdbcStoreSuite {
  @TempDir Path directory;
  private Path file;

  @Override
  DataSource database() throws Exception {
    file = Files.createTempDirectory(directory, "store").resolve("ids.db");
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(5000);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  @Override
  int[] levels() {
    return new int[] {Connection.TRANSACTION_SERIALIZABLE};
  }

  @Override
  boolean boundsAnswers() {
    return false;
  }

  @Test
  void otherTablesAreNotMissingOnes() throws Exception {
    create("orders", 1, 10, 1);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE snowmint_segment RENAME TO others");
      statement.execute("CREATE TABLE snowmint_segment (tag TEXT)");
    }
    refused(Code.STORE_SCHEMA, () -> take("orders"));
  }

  @Test
  void aDatabaseInMemoryIsEachConnectionsOwn() {
    for (String url : new String[] {"jdbc:sqlite::memory:", "jdbc:sqlite:file:x?mode=memory"}) {
      SQLiteDataSource memory = new SQLiteDataSource();
      memory.setUrl(url);
      JdbcStore inMemory = new JdbcStore(memory);
      inMemory.createTables();
      assertContains(
          refused(Code.STORE_MISSING, () -> inMemory.ensureTag("orders")), "cache=shared");
    }
  }

  @Test
  void theLibrarysOwnStoreGoesOn() {
    create("orders", 1, 10, 1);
    take("orders");
    try (IdSource segment = IdSource.open("segment+sqlite:" + file + "?tag=orders")) {
      assertEquals(11, segment.nextId());
    }
  }
}
