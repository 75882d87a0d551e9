package io.github.snowmint;

import static io.github.snowmint.StoreSuite.NONE;
import static io.github.snowmint.StoreSuite.assertContains;
import static io.github.snowmint.StoreSuite.assertRange;
import static io.github.snowmint.StoreSuite.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.util.List;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A server that took another's place refuses calls until an operator vouches for it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JdbcVouchesTest {
  /** As a failover leaves it: another server gave all of it. */
  private static void becomeAnother(DatabaseServer server, String database) throws Exception {
    server.execute(
        database,
        "UPDATE snowmint_schema SET tag_incarnation = 'another'",
        "UPDATE snowmint_segment SET incarnation = 'another'");
  }

  @Test
  void postgresMakesNoTagUntilAnOperatorVouched() throws Exception {
    try (DatabaseServer database = DatabaseServer.postgres()) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setURL(database.url("postgres"));
      noTagIsMadeUntilAnOperatorVouched(source, database, "postgres");
    }
    refused(Code.UNSUPPORTED, () -> Store.memory().vouch("any", 0, NONE));
  }

  @Test
  void mariadbMakesNoTagUntilAnOperatorVouched() throws Exception {
    try (DatabaseServer database = DatabaseServer.mariadb()) {
      database.execute("", "CREATE DATABASE ids");
      DataSource source = new MariaDbDataSource(database.url("ids"));
      noTagIsMadeUntilAnOperatorVouched(source, database, "ids");
    }
  }

  private static void noTagIsMadeUntilAnOperatorVouched(
      DataSource source, DatabaseServer database, String name) throws Exception {
    JdbcStore jdbc = new JdbcStore(source);
    jdbc.createTables();
    Store plain = Store.open(database.sourceUrl(name));
    jdbc.createTag("orders", new TagOptions(1, 10, 2));
    becomeAnother(database, name);
    String server = null;
    for (SegmentStore store : List.of(jdbc, plain)) {
      String message = refused(Code.INCARNATION_CHANGED, () -> store.createTag("new"));
      String cure = "recover --server (\\S+) ";
      assertTrue(message.matches("(?s).*" + cure + ".*"), message);
      server = message.replaceFirst("(?s).*" + cure + ".*", "$1");
      refused(Code.TAG_EXISTS, () -> store.createTag("orders"));
      refused(Code.INCARNATION_CHANGED, () -> store.allocate("orders", NONE));
      message = refused(Code.UNKNOWN_TAG, () -> store.allocate("new", NONE));
      assertContains(message, server);
    }
    String present = server;
    long many = (1 << 30) + 1;
    refused(Code.INVALID_PARAMETER, () -> jdbc.vouch(present, many, NONE));
    refused(Code.INVALID_PARAMETER, () -> plain.vouch(present, many, NONE));
    String mistaken = refused(Code.INCARNATION_CHANGED, () -> jdbc.vouch("other", 0, NONE));
    assertContains(mistaken, present);
    refused(Code.INCARNATION_CHANGED, () -> plain.vouch("other", 0, NONE));
    refused(Code.INCARNATION_CHANGED, () -> jdbc.allocate("orders", NONE));
    List<TagRow> raised = jdbc.vouch(present, 3, OptionalLong.of(501));
    assertEquals(List.of(jdbc.tag("orders").orElseThrow()), raised);
    assertRange(61, 81, plain.allocate("orders", NONE));
    jdbc.createTag("new");
    assertEquals(501, jdbc.tag("new").orElseThrow().next());
    assertEquals(List.of(), jdbc.vouch(present, 3, NONE));
    assertRange(81, 101, jdbc.allocate("orders", NONE));
    becomeAnother(database, name);
    refused(Code.INCARNATION_CHANGED, () -> jdbc.createTag("newer"));
    List<TagRow> vouched = plain.vouch(present, 0, OptionalLong.of(0));
    assertEquals(List.of("new", "orders"), vouched.stream().map(TagRow::tag).toList());
    assertRange(101, 121, jdbc.allocate("orders", NONE));
    jdbc.createTag("newer");
    assertEquals(1, jdbc.tag("newer").orElseThrow().next());
  }
}
