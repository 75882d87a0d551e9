package io.github.snowmint;

import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class JdbcPostgresTest extends JdbcStoreSuite {
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
  DataSource database() throws Exception {
    server.dropTables();
    return server.source();
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
}
