package post;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.hibernate.SnowmintSegment;
import io.github.snowmint.hibernate.SnowmintSnowflake;
import io.github.snowmint.jdbc.JdbcStore;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/** An application with several databases, which makes each EntityManagerFactory itself. */
class DatabasesTest {
  @Entity(name = "Parcel")
  static class Parcel {
    @Id @SnowmintSnowflake Long id;
  }

  @Entity(name = "Letter")
  static class Letter {
    @Id
    @SnowmintSnowflake(layout = "discord")
    Long id;
  }

  @Entity(name = "Stamp")
  static class Stamp {
    @Id
    @SnowmintSegment(tag = "stamps")
    Long id;
  }

  @EnableAutoConfiguration
  static class Post {
    @Bean
    @Primary
    DataSource main() {
      return freshH2();
    }

    @Bean
    DataSource archive() {
      return freshH2();
    }

    @Bean
    @Primary
    LocalContainerEntityManagerFactoryBean first(DataSource main) {
      return factory("first", main, Parcel.class);
    }

    @Bean
    LocalContainerEntityManagerFactoryBean second(DataSource main) {
      return factory("second", main, Parcel.class);
    }

    @Bean
    LocalContainerEntityManagerFactoryBean archived(
        @Qualifier("archive") DataSource archive) {
      return factory("archived", archive, Parcel.class);
    }
  }

  @EnableAutoConfiguration
  static class Letters {
    @Bean
    DataSource main() {
      return freshH2();
    }

    @Bean
    LocalContainerEntityManagerFactoryBean letters(DataSource main) {
      return factory("letters", main, Letter.class);
    }
  }

  @EnableAutoConfiguration
  static class Stamps {
    @Bean
    DataSource main() {
      return freshH2();
    }

    @Bean
    LocalContainerEntityManagerFactoryBean stamps(DataSource main) {
      return factory("stamps", main, Stamp.class);
    }
  }

  private static JdbcDataSource freshH2() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return source;
  }

  private static LocalContainerEntityManagerFactoryBean factory(
      String name, DataSource database, Class<?> entity) {
    LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
    factory.setPersistenceUnitName(name);
    factory.setDataSource(database);
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.setManagedTypes(PersistenceManagedTypes.of(entity.getName()));
    factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "update"));
    return factory;
  }

  private static ConfigurableApplicationContext start(Class<?> application, String... properties) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--spring.main.banner-mode=off");
    arguments.add("--spring.main.web-application-type=none");
    arguments.add("--spring.flyway.enabled=false");
    arguments.add("--spring.data.jpa.repositories.enabled=false");
    for (String property : properties) {
      arguments.add("--" + property);
    }
    return SpringApplication.run(application, arguments.toArray(String[]::new));
  }

  private static int workers(ConfigurableApplicationContext post, String database) {
    JdbcStore store = new JdbcStore(post.getBean(database, DataSource.class));
    return store.hasTables() ? store.workers().size() : 0;
  }

  /** Other applications may lease from the archive, and would have the same worker ID there. */
  @Test
  void eachDatabaseHasOneWorkerId() {
    try (ConfigurableApplicationContext post = start(Post.class)) {
      persist(post, "first", "second", "archived");
      assertEquals(1, workers(post, "main"));
      assertEquals(1, workers(post, "archive"));
    }
  }

  @Test
  void theDatabaseThatIsNamedIsThatOfAll() {
    try (ConfigurableApplicationContext post =
        start(Post.class, "snowmint.data-source=archive")) {
      persist(post, "first", "second", "archived");
      assertEquals(0, workers(post, "main"));
      assertEquals(1, workers(post, "archive"));
    }
  }

  private static void persist(ConfigurableApplicationContext post, String... factories) {
    for (String name : factories) {
      EntityManagerFactory factory = post.getBean(name, EntityManagerFactory.class);
      try (EntityManager manager = factory.createEntityManager()) {
        manager.getTransaction().begin();
        manager.persist(new Parcel());
        manager.getTransaction().commit();
      }
    }
  }

  private static SnowmintException refused(Class<?> application, String... properties) {
    Throwable failure =
        assertThrows(RuntimeException.class, () -> start(application, properties).close());
    while (!(failure instanceof SnowmintException)) {
      failure = failure.getCause();
    }
    return (SnowmintException) failure;
  }

  @Test
  void anotherLayoutIsRefused() {
    SnowmintException failure = refused(Letters.class);
    assertEquals(Code.REALM_MISMATCH, failure.code());
    assertTrue(failure.getMessage().startsWith("Letter.id: the application's source has the layout"));
    start(Letters.class, "snowmint.layout=discord").close();
  }

  @Test
  void aDataSourceThatThereIsNotIsRefused() {
    String message = refused(Stamps.class, "snowmint.data-source=nope").getMessage();
    assertTrue(message.startsWith("snowmint.data-source=nope names no bean"), message);
  }
}
