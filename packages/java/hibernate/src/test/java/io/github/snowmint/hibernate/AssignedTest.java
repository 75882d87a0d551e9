package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.TextForm;
import io.github.snowmint.testing.DatabaseServer;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An identifier that the application sets is kept, and costs the others nothing. */
class AssignedTest {
  private static DatabaseServer server;
  private static SessionFactory sessions;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.postgres();
    sessions =
        Sessions.of(server, Book.class, Page.class, Note.class, Ticket.class, Revised.class);
  }

  @AfterAll
  static void stop() throws Exception {
    sessions.close();
    server.close();
  }

  @Entity(name = "Book")
  static class Book {
    @Id
    @SnowmintSnowflake(create = true)
    Long id;

    String title;

    Book() {}

    Book(Long id, String title) {
      this.id = id;
      this.title = title;
    }
  }

  @Entity(name = "Page")
  static class Page {
    @Id
    @SnowmintSegment(tag = "pages", create = true)
    long id;
  }

  @Entity(name = "Note")
  static class Note {
    @Id
    @SnowmintSnowflake(create = true, form = TextForm.BASE32)
    String id;
  }

  @Entity(name = "Ticket")
  static class Ticket {
    @Id
    @SnowmintId(url = "uuid:?version=7")
    UUID id;
  }

  @Entity(name = "Revised")
  static class Revised {
    @Id
    @SnowmintSnowflake(create = true)
    Long id;

    @Version Integer version;
  }

  @Test
  void itIsPersisted() {
    Book book = new Book(7L, "kept");
    Page page = new Page();
    page.id = 1_000;
    Note note = new Note();
    note.id = TextForm.BASE32.format(7);
    Ticket ticket = new Ticket();
    UUID given = UUID.randomUUID();
    ticket.id = given;
    Revised revised = new Revised();
    revised.id = 7L;
    sessions.inTransaction(
        session -> {
          session.persist(book);
          session.persist(page);
          session.persist(note);
          session.persist(ticket);
          session.persist(revised);
        });
    sessions.inSession(
        session -> {
          assertEquals("kept", session.find(Book.class, 7L).title);
          assertNotNull(session.find(Page.class, 1_000L));
          assertNotNull(session.find(Note.class, TextForm.BASE32.format(7)));
          assertNotNull(session.find(Ticket.class, given));
          assertNotNull(session.find(Revised.class, 7L));
        });
  }

  @Test
  void itIsInsertedWithoutASession() {
    sessions.inStatelessTransaction(session -> session.insert(new Book(8L, "stateless")));
    Book minted = new Book(null, "minted");
    sessions.inStatelessTransaction(session -> session.insert(minted));
    assertTrue(minted.id > 1_000_000);
    sessions.inSession(session -> assertEquals("stateless", session.find(Book.class, 8L).title));
  }

  @Test
  void aMergeInsertsOrUpdatesItsRow() {
    Book given = new Book(9L, "new");
    Book merged = sessions.fromTransaction(session -> session.merge(given));
    assertEquals(9L, merged.id);
    sessions.inTransaction(session -> session.merge(new Book(9L, "changed")));
    sessions.inSession(session -> assertEquals("changed", session.find(Book.class, 9L).title));
    Book without = new Book(null, "minted");
    assertTrue(sessions.fromTransaction(session -> session.merge(without)).id > 1_000_000);
    assertNull(without.id);
  }

  @Test
  void itMayExistAlready() {
    sessions.inTransaction(session -> session.persist(new Book(10L, "first")));
    assertThrows(
        ConstraintViolationException.class,
        () -> sessions.inTransaction(session -> session.persist(new Book(10L, "second"))));
  }

  @Test
  void aMintedOneTakesNoQuery() {
    Statistics statistics = sessions.getStatistics();
    statistics.clear();
    sessions.inTransaction(session -> session.persist(new Book(null, "minted")));
    sessions.inTransaction(session -> session.persist(new Page()));
    assertEquals(2, statistics.getPrepareStatementCount());
  }
}
