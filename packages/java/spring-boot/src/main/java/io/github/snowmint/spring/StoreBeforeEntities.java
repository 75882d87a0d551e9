package io.github.snowmint.spring;

import jakarta.persistence.EntityManagerFactory;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;

/**
 * Makes Spring create every {@code EntityManagerFactory} after the starter's store. Entities whose
 * identifiers come from the database open their sources with it, and need the tables.
 */
final class StoreBeforeEntities extends AbstractDependsOnBeanFactoryPostProcessor {
  StoreBeforeEntities(String store) {
    super(EntityManagerFactory.class, store);
  }
}
