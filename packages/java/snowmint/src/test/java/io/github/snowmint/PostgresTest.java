package io.github.snowmint;

import io.github.snowmint.testing.DatabaseServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresTest extends DatabaseSuite {
  private static DatabaseServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.postgres();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  DatabaseServer server() {
    return server;
  }
}
