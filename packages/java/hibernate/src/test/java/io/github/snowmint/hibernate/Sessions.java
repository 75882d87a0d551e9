package io.github.snowmint.hibernate;

import io.github.snowmint.testing.DatabaseServer;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Session factories on a test's database. */
final class Sessions {
  /** Held, for what nobody holds forgets its level. */
  private static final Logger LOG = Logger.getLogger("org.hibernate");

  private Sessions() {}

  /** Keeps Hibernate's log out of the tests' output. */
  static void quiet() {
    LOG.setLevel(Level.SEVERE);
  }

  /** A session factory for some entities, whose tables it creates anew. */
  static SessionFactory of(
      DatabaseServer server, Map<String, ?> settings, Class<?>... entities) {
    quiet();
    Configuration configuration = new Configuration();
    for (Class<?> entity : entities) {
      configuration.addAnnotatedClass(entity);
    }
    configuration.setProperty("hibernate.connection.url", server.url("postgres"));
    configuration.setProperty("hibernate.hbm2ddl.auto", "create");
    configuration.setProperty("hibernate.generate_statistics", "true");
    configuration.getProperties().putAll(settings);
    return configuration.buildSessionFactory();
  }

  static SessionFactory of(DatabaseServer server, Class<?>... entities) {
    return of(server, Map.of(), entities);
  }
}
