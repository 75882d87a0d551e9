package io.github.snowmint.spring;

import io.github.snowmint.jdbc.JdbcStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Has Spring Boot make every {@link JdbcStore}, and so what takes from it, after Flyway, Liquibase
 * or {@code schema.sql}: they may make its tables, and Flyway refuses a database with tables that it
 * did not make.
 */
final class StoreAfterMigrations extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {
  /** As Spring makes it. */
  StoreAfterMigrations() {}

  @Override
  protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
    return Set.of(JdbcStore.class);
  }
}
