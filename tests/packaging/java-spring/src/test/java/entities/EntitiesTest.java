package entities;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import entities.Library.Book;
import entities.Library.Books;
import entities.Library.Invoice;
import io.github.snowmint.IdSource;
import io.github.snowmint.Layout;
import io.github.snowmint.Snowflake;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Applications with the starter whose entities have identifiers by it. */
class EntitiesTest {
  /** A snowflake of the application's own, with a layout of its own. */
  static class Own {
    @Bean
    Snowflake flake(JdbcStore store) {
      return Snowflake.builder().leaseFrom(store).layout(Layout.DISCORD).open();
    }
  }

  /** Several snowflakes, of which none is the main one. */
  static class Several extends Own {
    @Bean
    Snowflake other(JdbcStore store) {
      return Snowflake.builder().leaseFrom(store).layout(Layout.DISCORD).open();
    }
  }

  private static ConfigurableApplicationContext start(Class<?> beside, String... properties) {
    SpringApplication application =
        beside == null
            ? new SpringApplication(Library.class)
            : new SpringApplication(Library.class, beside);
    List<String> arguments = new ArrayList<>();
    arguments.add("--server.port=0");
    arguments.add("--spring.main.banner-mode=off");
    arguments.add("--spring.flyway.enabled=false");
    arguments.add("--spring.jpa.hibernate.ddl-auto=update");
    arguments.add("--management.endpoint.health.show-details=always");
    for (String property : properties) {
      arguments.add("--" + property);
    }
    return application.run(arguments.toArray(String[]::new));
  }

  private static String refused(Class<?> beside, String... properties) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream usual = System.out;
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThrows(Exception.class, () -> start(beside, properties).close());
    } finally {
      System.setOut(usual);
    }
    String text = said.toString(StandardCharsets.UTF_8);
    assertContains(text, "APPLICATION FAILED TO START", "Action:");
    return text;
  }

  private static void assertContains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "no " + part + " in " + text);
    }
  }

  private static void persist(ConfigurableApplicationContext library, Object... entities) {
    EntityManagerFactory factory = library.getBean(EntityManagerFactory.class);
    try (EntityManager manager = factory.createEntityManager()) {
      manager.getTransaction().begin();
      for (Object entity : entities) {
        manager.persist(entity);
      }
      manager.getTransaction().commit();
    }
  }

  private static String get(ConfigurableApplicationContext library, String path) throws Exception {
    String port = library.getEnvironment().getProperty("local.server.port");
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static String freshH2() {
    return "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  }

  private static JdbcStore store(String property) {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL(property.replaceFirst("[^=]*=", ""));
    database.setUser("sa"); // As Spring Boot is where nothing is said.
    return new JdbcStore(database);
  }

  private static void assertShares(ConfigurableApplicationContext library) {
    IdSource source = library.getBean(IdSource.class);
    Book book = new Book();
    Invoice invoice = new Invoice();
    long before = source.nextId();
    persist(library, book, invoice);
    assertTrue(before < book.id && book.id < source.nextId(), () -> "not " + book.id);
    assertEquals(1, invoice.id);
  }

  @Test
  void theyShareTheBean() throws Exception {
    String database = freshH2();
    try (ConfigurableApplicationContext library = start(null, database)) {
      assertShares(library);
      assertEquals(1, library.getBean(JdbcStore.class).workers().size());
      assertContains(
          get(library, "/actuator/health"),
          "\"snowflake\":{\"kind\":\"snowflake\"",
          "\"Invoice.id\":{\"kind\":\"segment\"");
      MeterRegistry meters = library.getBean(MeterRegistry.class);
      assertEquals(2, meters.get("snowmint.source.ready").gauges().size());
      assertEquals(
          1,
          meters.get("snowmint.source.ready").tag("source", "Invoice.id").gauge().value());
    }
    assertFalse(store(database).workers().get(0).held());
    try (DatabaseServer server = DatabaseServer.postgres();
        ConfigurableApplicationContext library =
            start(
                null,
                "spring.datasource.url=" + server.url("postgres"),
                "snowmint.create-tables=always")) {
      assertShares(library);
      assertEquals(1, library.getBean(JdbcStore.class).workers().size());
    }
  }

  @Test
  void theyShareWhateverTheSourceIs(@TempDir Path directory) {
    String file = directory.resolve("ids.db").toString();
    try (ConfigurableApplicationContext library =
        start(null, freshH2(), "snowmint.url=snowflake+sqlite:" + file + "?create=true")) {
      assertShares(library);
    }
    try (ConfigurableApplicationContext library = start(Own.class, freshH2())) {
      assertShares(library);
    }
    assertContains(
        refused(Several.class, freshH2()),
        "An entity has to take IDs from one of the sources ",
        "@Primary");
  }

  /** The store waits for scripts, which wait for Hibernate. */
  @Test
  void scriptsMayRunAfterHibernate() {
    String database = freshH2();
    String deferred = "spring.jpa.defer-datasource-initialization=true";
    try (ConfigurableApplicationContext library = start(null, database, deferred)) {
      assertShares(library);
    }
    assertFalse(store(database).workers().get(0).held());
  }

  @Test
  void hibernateMayStartInTheBackground() {
    String deferred = "spring.data.jpa.repositories.bootstrap-mode=deferred";
    try (ConfigurableApplicationContext library = start(null, freshH2(), deferred)) {
      assertShares(library);
    }
  }

  @Test
  void whatIsMissingIsSaidOfTheProperty() throws Exception {
    try (DatabaseServer server = DatabaseServer.postgres()) {
      String database = "spring.datasource.url=" + server.url("postgres");
      String tables = refused(null, database);
      assertContains(tables, "store_missing: ", "set snowmint.create-tables=always");
      assertFalse(tables.contains("createTables()"), tables);
      start(Own.class, database, "snowmint.create-tables=always").close();
      server.execute("postgres", "DELETE FROM snowmint_segment");
      assertContains(
          refused(Own.class, database),
          "unknown_tag: Invoice.id: ",
          "Set snowmint.create-tables=always, which creates the tags of entities");
    }
  }

  @Test
  void anIdentifierThatIsSetIsKept() {
    try (ConfigurableApplicationContext library = start(null, freshH2())) {
      Books books = library.getBean(Books.class);
      assertEquals(7, books.save(new Book(7L, "merged")).id);
      assertEquals("merged", books.findById(7L).orElseThrow().title);
      books.save(new Book(7L, "changed"));
      assertEquals("changed", books.findById(7L).orElseThrow().title);
      assertTrue(books.save(new Book(null, "minted")).id > 1_000_000);
      persist(library, new Book(8L, "persisted"));
      assertEquals(3, books.count());
    }
  }

  @Test
  void inJsonTheyAreStrings() throws Exception {
    try (ConfigurableApplicationContext library = start(null, freshH2())) {
      persist(library, new Book(1541815603606036480L, "tea"));
      String json = get(library, "/books");
      assertContains(json, "\"id\":\"1541815603606036480\"", "\"pages\":0");
    }
  }
}
