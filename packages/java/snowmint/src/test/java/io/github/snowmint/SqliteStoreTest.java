package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends WorkerStoreSuite<Store> {
  @TempDir Path directory;

  @Override
  Store make() throws Exception {
    return Store.createSqlite(Files.createTempDirectory(directory, "store").resolve("ids.db"));
  }

  @Override
  int patience() {
    return 400;
  }

  @Test
  void migrateMakesTheTables() {
    String url = "sqlite:" + directory.resolve("made.db");
    Migration planned = Store.migration(url);
    assertEquals("missing", planned.state());
    assertTrue(planned.report().startsWith("-- SQLite "), planned::report);
    SnowmintException missing = assertThrows(SnowmintException.class, () -> Store.open(url));
    assertEquals(Code.STORE_MISSING, missing.code());
    Migration made = Store.migrate(url);
    assertEquals("made", made.state());
    assertTrue(made.report().endsWith("key_space=" + made.keySpace().orElseThrow()), made::report);
    assertEquals(planned.statements(), made.statements());
    assertEquals(planned.place(), made.place());
    assertEquals("there", Store.migrate(url).state());
    assertEquals(List.of(), Store.open(url).tags());
  }
}
