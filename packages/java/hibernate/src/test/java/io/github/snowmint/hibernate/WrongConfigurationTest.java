package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TextForm;
import io.github.snowmint.WorkerRow;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.util.Map;
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

/** Mistakes in an annotation or its database are reported with their codes. */
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

  @Entity(name = "Later")
  static class Later {
    @Id
    @SnowmintSegment(tag = "later")
    long id;
  }

  @Entity(name = "ALease")
  static class Leased {
    @Id
    @SnowmintSnowflake(create = true)
    long id;
  }

  @Entity(name = "Named")
  static class Named {
    @Id
    @SnowmintId(url = "${shop.ids}")
    UUID id;
  }

  @Entity(name = "NamedTag")
  static class NamedTag {
    @Id
    @SnowmintSegment(tag = "${shop.tag}", create = true)
    long id;
  }

  @Entity(name = "Usual")
  static class Usual {
    @Id
    @SnowmintId(url = "${shop.others:uuid:?version=4}")
    UUID id;
  }

  @Entity(name = "NoSuchScheme")
  static class NoSuchScheme {
    @Id
    @SnowmintId(url = "nobody:")
    long id;
  }

  @Entity(name = "NoSuchParameter")
  static class NoSuchParameter {
    @Id
    @SnowmintId(url = "uuid:?versions=7")
    UUID id;
  }

  @Entity(name = "NoSuchTag")
  static class NoSuchTag {
    @Id
    @SnowmintSegment(tag = "no tag", create = true)
    long id;
  }

  @MappedSuperclass
  static class Numbered {
    private Long number;

    @SnowmintSegment(tag = "numbers", create = true)
    Long getNumber() {
      return number;
    }

    void setNumber(Long number) {
      this.number = number;
    }
  }

  @Entity(name = "NoIdentifier")
  static class NoIdentifier {
    @Id
    @SnowmintSegment(tag = "a", create = true)
    long id;

    @SnowmintSnowflake Long number;
  }

  @Entity(name = "NoIdentifierOfABase")
  static class NoIdentifierOfABase extends Numbered {
    private Long id;

    @Id
    @SnowmintSegment(tag = "a", create = true)
    Long getId() {
      return id;
    }

    void setId(Long id) {
      this.id = id;
    }
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
        Arguments.of(AnInteger.class, Code.INVALID_PARAMETER, "AnInteger.id: it is of type Integer"),
        Arguments.of(AUuidOfNumbers.class, Code.INVALID_PARAMETER, "long, Long or String"),
        Arguments.of(ALongOfUuids.class, Code.INVALID_PARAMETER, "UUID or String"),
        Arguments.of(ALongWithAForm.class, Code.INVALID_PARAMETER, "only a String has a form"),
        Arguments.of(AUuidWithAForm.class, Code.INVALID_PARAMETER, "has no form"),
        Arguments.of(ALongWithAForm.class, Code.INVALID_PARAMETER, "ALongWithAForm.id: "),
        Arguments.of(NoSuchLayout.class, Code.UNKNOWN_LAYOUT, "NoSuchLayout.id: "),
        Arguments.of(NegativeStep.class, Code.INVALID_STEP, "NegativeStep.id: "),
        Arguments.of(NoSuchTag.class, Code.INVALID_TAG, "NoSuchTag.id: "),
        Arguments.of(
            NoIdentifier.class,
            Code.INVALID_PARAMETER,
            "NoIdentifier.number: @SnowmintSnowflake is of an @Id"),
        Arguments.of(
            NoIdentifierOfABase.class, Code.INVALID_PARAMETER, "Numbered.number: @SnowmintSegment"),
        Arguments.of(NoSuchScheme.class, Code.UNKNOWN_SCHEME, "NoSuchScheme.id: "),
        Arguments.of(NoSuchParameter.class, Code.UNKNOWN_PARAMETER, "NoSuchParameter.id: "));
  }

  @ParameterizedTest
  @MethodSource
  void refusedAtOnce(Class<?> entity, Code code, String message) {
    assertRefused(code, message, () -> Sessions.of(server, entity).close());
  }

  @Test
  void whatIsNotInTheDatabaseYet() throws Throwable {
    Executable start = () -> Sessions.of(server, NoTables.class).close();
    assertRefused(Code.STORE_MISSING, "create = true", start);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    JdbcStore store = new JdbcStore(source);
    store.createTables();
    assertRefused(Code.UNKNOWN_TAG, "create = true", start);
    store.createTag("a");
    start.execute();
    NoTables row = new NoTables();
    Map<String, ?> lazy = Map.of("snowmint.lazy", "true");
    try (SessionFactory sessions = Sessions.of(server, lazy, NoTables.class, Later.class)) {
      sessions.inTransaction(session -> session.persist(row));
      assertTrue(row.id > 0);
      Executable persist = () -> sessions.inTransaction(session -> session.persist(new Later()));
      assertRefused(Code.UNKNOWN_TAG, "create = true", persist);
      store.createTag("later");
      persist.execute();
    }
  }

  @Test
  void whatFailsLeavesNothingOpen() throws Exception {
    assertRefused(
        Code.UNKNOWN_SCHEME,
        "nobody",
        () -> Sessions.of(server, Leased.class, NoSuchScheme.class).close());
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    assertTrue(new JdbcStore(source).workers().stream().noneMatch(WorkerRow::held));
  }

  @Test
  void namesStandForSettings() {
    assertRefused(
        Code.INVALID_PARAMETER,
        "Named.id: nothing says what ${shop.ids} is",
        () -> Sessions.of(server, Named.class).close());
    Map<String, ?> settings = Map.of("shop.ids", "uuid:?version=7");
    try (SessionFactory sessions = Sessions.of(server, settings, Named.class)) {
      Named row = new Named();
      sessions.inTransaction(session -> session.persist(row));
      assertEquals(7, row.id.version());
    }
    Map<String, ?> tag = Map.of("shop.tag", "named");
    try (SessionFactory sessions = Sessions.of(server, tag, NamedTag.class, Usual.class)) {
      NamedTag row = new NamedTag();
      Usual usual = new Usual();
      sessions.inTransaction(
          session -> {
            session.persist(row);
            session.persist(usual);
          });
      assertEquals(1, row.id);
      assertEquals(4, usual.id.version());
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    assertTrue(new JdbcStore(source).tag("named").isPresent());
  }
}
