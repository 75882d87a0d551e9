package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TextForm;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What is wrong with an annotation or its database is told, with its code. */
class WrongConfigurationTest {
  private static DatabaseServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.postgres();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Entity(name = "AnInteger")
  static class AnInteger {
    @Id
    @SnowmintSegment(tag = "a")
    Integer id;
  }

  @Entity(name = "AUuidOfNumbers")
  static class AUuidOfNumbers {
    @Id @SnowmintSnowflake UUID id;
  }

  @Entity(name = "ALongOfUuids")
  static class ALongOfUuids {
    @Id
    @SnowmintId(url = "uuid:?version=7")
    Long id;
  }

  @Entity(name = "ALongWithAForm")
  static class ALongWithAForm {
    @Id
    @SnowmintSnowflake(form = TextForm.HEX)
    Long id;
  }

  @Entity(name = "AUuidWithAForm")
  static class AUuidWithAForm {
    @Id
    @SnowmintId(url = "uuid:", form = TextForm.HEX)
    String id;
  }

  @Entity(name = "NoSuchLayout")
  static class NoSuchLayout {
    @Id
    @SnowmintSnowflake(layout = "nobody")
    long id;
  }

  @Entity(name = "NegativeStep")
  static class NegativeStep {
    @Id
    @SnowmintSegment(tag = "a", step = -1)
    long id;
  }

  @Entity(name = "NoTables")
  static class NoTables {
    @Id
    @SnowmintSegment(tag = "a")
    long id;
  }

  @Entity(name = "NoSuchScheme")
  static class NoSuchScheme {
    @Id
    @SnowmintId(url = "nobody:")
    long id;
  }

  private static void assertRefused(Code code, String message, Executable call) {
    Throwable failure = assertThrows(RuntimeException.class, call);
    while (failure.getCause() != null && !(failure instanceof SnowmintException)) {
      failure = failure.getCause();
    }
    assertEquals(code, assertInstanceOf(SnowmintException.class, failure).code());
    assertTrue(failure.getMessage().contains(message), failure.getMessage());
  }

  static Stream<Arguments> refusedAtOnce() {
    return Stream.of(
        Arguments.of(AnInteger.class, Code.INVALID_PARAMETER, "AnInteger.id is of type Integer"),
        Arguments.of(AUuidOfNumbers.class, Code.INVALID_PARAMETER, "long, Long or String"),
        Arguments.of(ALongOfUuids.class, Code.INVALID_PARAMETER, "UUID or String"),
        Arguments.of(ALongWithAForm.class, Code.INVALID_PARAMETER, "only a String has a form"),
        Arguments.of(AUuidWithAForm.class, Code.INVALID_PARAMETER, "has no form"),
        Arguments.of(NoSuchLayout.class, Code.UNKNOWN_LAYOUT, "nobody"),
        Arguments.of(NegativeStep.class, Code.INVALID_STEP, "step"));
  }

  @ParameterizedTest
  @MethodSource
  void refusedAtOnce(Class<?> entity, Code code, String message) {
    assertRefused(code, message, () -> Sessions.of(server, entity).close());
  }

  @Test
  void whatIsNotInTheDatabaseYet() throws Exception {
    try (SessionFactory sessions = Sessions.of(server, NoTables.class)) {
      NoTables row = new NoTables();
      Executable persist = () -> sessions.inTransaction(session -> session.persist(row));
      assertRefused(Code.STORE_MISSING, "create = true", persist);
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setURL(server.url("postgres"));
      JdbcStore store = new JdbcStore(source);
      store.createTables();
      assertRefused(Code.UNKNOWN_TAG, "create = true", persist);
      store.createTag("a");
      sessions.inTransaction(session -> session.persist(row));
      assertEquals(1, row.id);
    }
  }

  @Test
  void whatIsNoSource() {
    try (SessionFactory sessions = Sessions.of(server, NoSuchScheme.class)) {
      assertRefused(
          Code.UNKNOWN_SCHEME,
          "nobody",
          () -> sessions.inTransaction(session -> session.persist(new NoSuchScheme())));
    }
  }
}
