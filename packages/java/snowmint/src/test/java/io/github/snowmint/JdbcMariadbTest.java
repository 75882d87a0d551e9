package io.github.snowmint;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;

class JdbcMariadbTest extends JdbcStoreSuite {
  private static DatabaseServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.mariadb();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  DataSource database() throws Exception {
    server.execute("", "CREATE OR REPLACE DATABASE ids");
    return new MariaDbDataSource(server.url("ids"));
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

  @Test
  void tablesWhoseMakingWasInterruptedAreMade() throws Exception {
    server.execute("ids", "DROP TABLE snowmint_segment");
    store.createTables();
    create("orders", 1, 10, 1);
    assertRange(1, 11, take("orders"));
  }

  @Test
  void whatIsWrongHasItsCode() throws Exception {
    create("orders", 1, 10, 1);
    assertRefused(Code.STORE_MISSING, server.url("nothing"));
    server.execute("ids", "CREATE OR REPLACE USER reader", "GRANT SELECT ON ids.* TO reader");
    String url = server.url("ids").replace("user=root", "user=reader");
    assertRefused(Code.STORE_DENIED, url);
    assertRefused(Code.STORE_DENIED, url + "&password=wrong");
  }

  private static void assertRefused(Code code, String url) throws Exception {
    JdbcStore store = new JdbcStore(new MariaDbDataSource(url));
    refused(code, () -> store.allocate("orders", NONE));
  }
}
