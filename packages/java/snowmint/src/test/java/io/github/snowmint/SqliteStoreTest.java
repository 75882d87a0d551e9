package io.github.snowmint;

import java.nio.file.Files;
import java.nio.file.Path;
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
}
