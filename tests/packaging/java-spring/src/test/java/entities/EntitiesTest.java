package entities;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.hibernate.SnowmintSnowflake;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications with the starter whose entities have identifiers by snowmint-hibernate. */
class EntitiesTest {
  @SpringBootApplication
  static class Library {}

  /** Does not itself create the library's tables. */
  @Entity
  static class Book {
    @Id @SnowmintSnowflake Long id;
  }

  private static ConfigurableApplicationContext start(String... properties) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--spring.main.banner-mode=off");
    arguments.add("--spring.main.web-application-type=none");
    arguments.add("--spring.flyway.enabled=false");
    arguments.add("--spring.jpa.hibernate.ddl-auto=update");
    for (String property : properties) {
      arguments.add("--" + property);
    }
    return SpringApplication.run(Library.class, arguments.toArray(String[]::new));
  }

  private static void assertPersists(ConfigurableApplicationContext library) {
    EntityManagerFactory entities = library.getBean(EntityManagerFactory.class);
    try (EntityManager manager = entities.createEntityManager()) {
      Book book = new Book();
      manager.getTransaction().begin();
      manager.persist(book);
      manager.getTransaction().commit();
      assertTrue(book.id > 0);
    }
    // The starter's and Hibernate's.
    assertEquals(2, library.getBean(JdbcStore.class).workers().size());
  }

  private static String freshH2() {
    return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  }

  @Test
  void theirSourcesFindTheTablesThatTheStarterMakes() throws Exception {
    try (ConfigurableApplicationContext library = start("spring.datasource.url=" + freshH2())) {
      assertPersists(library);
    }
    try (DatabaseServer server = DatabaseServer.postgres();
        ConfigurableApplicationContext library =
            start(
                "spring.datasource.url=" + server.url("postgres"),
                "snowmint.create-tables=always")) {
      assertPersists(library);
    }
  }

  /** The store waits for scripts, which wait for Hibernate. */
  @Test
  void scriptsMayRunAfterHibernate() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL(freshH2());
    database.setUser("sa"); // As Spring Boot is where nothing is said.
    new JdbcStore(database).createTables();
    try (ConfigurableApplicationContext library =
        start(
            "spring.datasource.url=" + database.getURL(),
            "spring.jpa.defer-datasource-initialization=true")) {
      assertTrue(library.containsBean("snowmintStore"));
    }
  }
}
