package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Layout;
import io.github.snowmint.TextForm;
import io.github.snowmint.WorkerRow;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Hibernate over PostgreSQL, with identifiers made by this module. */
class IdentifiersTest {
  /** For what is bound to happen, on a machine however busy. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static DatabaseServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.postgres();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void noTables() throws Exception {
    server.execute(
        "postgres", "DROP SCHEMA IF EXISTS snowmint CASCADE");
  }

  private static PGSimpleDataSource database() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    return source;
  }

  @Entity(name = "Customer")
  static class Customer {
    @Id
    @SnowmintSnowflake(create = true)
    Long id;

    String name;
  }

  @Entity(name = "Supplier")
  static class Supplier {
    @Id
    @SnowmintSnowflake(create = true, form = TextForm.BASE32)
    String id;
  }

  @Entity(name = "Invoice")
  static class Invoice {
    @Id
    @SnowmintSegment(tag = "papers", create = true)
    long id;
  }

  @Entity(name = "Receipt")
  static class Receipt {
    private Long number;

    @Id
    @SnowmintSegment(tag = "papers", create = true)
    Long getNumber() {
      return number;
    }

    void setNumber(Long number) {
      this.number = number;
    }
  }

  @Entity(name = "Ticket")
  static class Ticket {
    @Id
    @SnowmintId(url = "snowflake+sqlite:tickets.db?create=true&layout=discord", form = TextForm.BASE32)
    String id;
  }

  @Entity(name = "Seat")
  static class Seat {
    @Id
    @SnowmintId(url = "snowflake+sqlite:tickets.db?create=true&layout=discord")
    long id;
  }

  @Entity(name = "Token")
  static class Token {
    @Id
    @SnowmintId(url = "uuid:?version=7")
    UUID id;
  }

  @Entity(name = "TokenText")
  static class TokenText {
    @Id
    @SnowmintId(url = "uuid:?version=4")
    String id;
  }

  @Embeddable
  static class LineId implements Serializable {
    private static final long serialVersionUID = 1L;

    @SnowmintSegment(tag = "papers", create = true)
    Long paper;

    int line;

    @Override
    public boolean equals(Object other) {
      return other instanceof LineId id && Objects.equals(paper, id.paper) && line == id.line;
    }

    @Override
    public int hashCode() {
      return Objects.hash(paper, line);
    }
  }

  @Entity(name = "Embedding")
  static class Embedding {
    @EmbeddedId LineId id = new LineId();
  }

  @Entity(name = "Composed")
  @IdClass(LineId.class)
  static class Composed {
    @Id
    @SnowmintSegment(tag = "papers", create = true)
    Long paper;

    @Id int line;
  }

  @Test
  void aPartOfACompositeIdentifierIsMade() {
    try (SessionFactory sessions =
        Sessions.of(server, Invoice.class, Embedding.class, Composed.class)) {
      Embedding embedding = new Embedding();
      Composed composed = new Composed();
      Invoice invoice = new Invoice();
      sessions.inTransaction(
          session -> {
            session.persist(embedding);
            session.persist(composed);
            session.persist(invoice);
          });
      assertEquals(embedding.id.paper + 1, composed.paper);
      assertEquals(composed.paper + 1, invoice.id);
    }
  }

  @Test
  void anIdentifierIsThereBeforeTheInsert() {
    try (SessionFactory sessions = Sessions.of(server, Customer.class)) {
      Statistics statistics = sessions.getStatistics();
      Customer customer = new Customer();
      customer.name = "Ada";
      sessions.inTransaction(
          session -> {
            session.persist(customer);
            assertNotNull(customer.id);
            assertEquals(0, statistics.getPrepareStatementCount());
          });
      assertEquals(1, statistics.getEntityInsertCount());
      sessions.inSession(
          session -> assertEquals("Ada", session.find(Customer.class, customer.id).name));
    }
  }

  @Test
  void insertsAreBatched() {
    Map<String, ?> batches = Map.of("hibernate.jdbc.batch_size", "50");
    try (SessionFactory sessions = Sessions.of(server, batches, Invoice.class)) {
      sessions.inTransaction(
          session -> {
            for (int n = 0; n < 200; n++) {
              session.persist(new Invoice());
            }
          });
      assertTrue(sessions.getStatistics().getPrepareStatementCount() <= 4);
      List<Long> stored =
          sessions.fromSession(
              session ->
                  session.createQuery("select id from Invoice order by id", Long.class).list());
      assertEquals(LongStream.rangeClosed(1, 200).boxed().toList(), stored);
    }
  }

  @Test
  void twoEntitiesShareATag() {
    try (SessionFactory sessions = Sessions.of(server, Invoice.class, Receipt.class)) {
      List<Long> numbers = new ArrayList<>();
      sessions.inTransaction(
          session -> {
            for (int n = 0; n < 5; n++) {
              Invoice invoice = new Invoice();
              session.persist(invoice);
              numbers.add(invoice.id);
              Receipt receipt = new Receipt();
              session.persist(receipt);
              numbers.add(receipt.getNumber());
            }
          });
      assertEquals(LongStream.rangeClosed(1, 10).boxed().toList(), numbers);
    }
  }

  @Test
  void twoEntitiesShareAWorkerIdUntilTheFactoryCloses() {
    JdbcStore store = new JdbcStore(database());
    try (SessionFactory sessions = Sessions.of(server, Customer.class, Supplier.class)) {
      Customer customer = new Customer();
      Supplier supplier = new Supplier();
      sessions.inTransaction(
          session -> {
            session.persist(customer);
            session.persist(supplier);
          });
      long second = TextForm.BASE32.parse(supplier.id);
      assertEquals(
          Layout.TWITTER.decode(customer.id).workerId(), Layout.TWITTER.decode(second).workerId());
      assertTrue(second > customer.id);
      assertEquals(List.of(true), store.workers().stream().map(WorkerRow::held).toList());
    }
    // Given back by a thread of the generator's.
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          while (store.workers().stream().anyMatch(WorkerRow::held)) {
            Thread.sleep(1);
          }
        });
  }

  @Test
  void twoFactoriesAtOnce() {
    Map<String, ?> given = Map.of("jakarta.persistence.nonJtaDataSource", database());
    Customer one = new Customer();
    Customer other = new Customer();
    SessionFactory first = Sessions.of(server, given, Customer.class, Seat.class);
    try (SessionFactory second = Sessions.of(server, Customer.class, Seat.class)) {
      first.inTransaction(session -> session.persist(one));
      second.inTransaction(session -> session.persist(other));
      assertNotEquals(
          Layout.TWITTER.decode(one.id).workerId(), Layout.TWITTER.decode(other.id).workerId());
      Seat left = new Seat();
      Seat right = new Seat();
      first.inTransaction(session -> session.persist(left));
      second.inTransaction(session -> session.persist(right));
      assertEquals(
          Layout.DISCORD.decode(left.id).workerId(), Layout.DISCORD.decode(right.id).workerId());
      first.close();
      Seat more = new Seat();
      second.inTransaction(session -> session.persist(more));
      assertTrue(more.id > right.id);
    }
  }

  @Test
  void urls() {
    Class<?>[] entities = {Ticket.class, Seat.class, Token.class, TokenText.class};
    try (SessionFactory sessions = Sessions.of(server, entities)) {
      Ticket ticket = new Ticket();
      Seat seat = new Seat();
      Token token = new Token();
      TokenText text = new TokenText();
      sessions.inTransaction(
          session -> List.of(ticket, seat, token, text).forEach(session::persist));
      assertTrue(seat.id > TextForm.BASE32.parse(ticket.id));
      assertEquals(7, token.id.version());
      assertEquals(4, UUID.fromString(text.id).version());
      sessions.inSession(
          session -> {
            assertNotNull(session.find(Ticket.class, ticket.id));
            assertNotNull(session.find(Token.class, token.id));
          });
    }
  }

  @Test
  void aRollbackIsOfTheSessionAlone() {
    try (SessionFactory sessions = Sessions.of(server, Invoice.class)) {
      assertThrows(
          IllegalStateException.class,
          () ->
              sessions.inTransaction(
                  session -> {
                    session.persist(new Invoice());
                    throw new IllegalStateException();
                  }));
      Invoice invoice = new Invoice();
      sessions.inTransaction(session -> session.persist(invoice));
      assertEquals(2, invoice.id);
      assertFalse(new JdbcStore(database()).tag("papers").isEmpty());
    }
  }

  /** The caller's connections to a managed data source would be in its transaction. */
  @Test
  void connectionsOfTheStoreAreNotTakenByTheCaller() {
    List<Thread> takers = Collections.synchronizedList(new ArrayList<>());
    PGSimpleDataSource source =
        new PGSimpleDataSource() {
          private static final long serialVersionUID = 1L;

          @Override
          public Connection getConnection() throws SQLException {
            takers.add(Thread.currentThread());
            return super.getConnection();
          }
        };
    source.setURL(server.url("postgres"));
    Map<String, ?> given = Map.of("jakarta.persistence.nonJtaDataSource", source);
    Thread caller = Thread.currentThread();
    Class<?>[] entities = {Customer.class, Invoice.class};
    try (SessionFactory sessions = Sessions.of(server, given, entities)) {
      takers.clear();
      sessions.inTransaction(
          session -> {
            session.persist(new Customer());
            session.persist(new Invoice());
          });
      assertEquals(1, Collections.frequency(takers, caller), "the session's own");
      assertTrue(takers.size() > 1);
      takers.clear();
    }
    // The worker ID is given back.
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          while (takers.isEmpty()) {
            Thread.sleep(1);
          }
        });
    assertEquals(0, Collections.frequency(takers, caller));
  }

  @Test
  void statelessSessionsToo() {
    try (SessionFactory sessions = Sessions.of(server, Invoice.class)) {
      Invoice invoice = new Invoice();
      sessions.inStatelessTransaction(session -> session.insert(invoice));
      assertEquals(1, invoice.id);
    }
  }

  @Test
  void aFactoryClosesWithoutItsDatabase() throws Exception {
    DatabaseServer gone = DatabaseServer.postgres();
    SessionFactory sessions = Sessions.of(gone, Customer.class, Invoice.class);
    sessions.inTransaction(
        session -> {
          session.persist(new Customer());
          session.persist(new Invoice());
        });
    gone.close();
    assertDoesNotThrow(sessions::close);
    assertTrue(sessions.isClosed());
  }

  @Test
  void manyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (SessionFactory sessions = Sessions.of(server, Customer.class)) {
      Callable<List<Long>> persisting =
          () ->
              sessions.fromTransaction(
                  session -> {
                    List<Long> identifiers = new ArrayList<>();
                    for (int n = 0; n < 100; n++) {
                      Customer customer = new Customer();
                      session.persist(customer);
                      identifiers.add(customer.id);
                    }
                    return identifiers;
                  });
      List<Long> identifiers = new ArrayList<>();
      for (var result : threads.invokeAll(Collections.nCopies(8, persisting))) {
        identifiers.addAll(result.get());
      }
      assertEquals(800, identifiers.stream().distinct().count());
    } finally {
      threads.shutdown();
    }
  }
}
