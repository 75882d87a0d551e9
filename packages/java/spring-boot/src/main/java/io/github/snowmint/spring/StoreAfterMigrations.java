package io.github.snowmint.spring;

import io.github.snowmint.jdbc.JdbcStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Makes Spring Boot create every {@link JdbcStore}, and the beans that depend on it, after Flyway,
 * Liquibase or {@code schema.sql}. Those may create its tables, and Flyway refuses a database with
 * tables that it did not create.
 */
final class StoreAfterMigrations extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {
  /** Creates the detector, for Spring to call. */
  StoreAfterMigrations() {}

  @Override
  protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
    return Set.of(JdbcStore.class);
  }
}
