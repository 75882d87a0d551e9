package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Snowflake;
import io.github.snowmint.jdbc.JdbcStore;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The source for beans that ask for no particular source. */
final class MainSource {
  /** The name of the starter's bean for the source of a URL. */
  static final String OF_URL = "idSource";
  /**
   * The name of the starter's bean for a snowflake with a lease from the application's database.
   */
  static final String OF_DATABASE = "snowflake";
  /** The name of the bean for the store that leases the worker ID. */
  static final String STORE = "snowmintStore";

  private MainSource() {}

  /** Returns the only or primary source, else the starter's own, else the only snowflake. */
  static IdSource of(ListableBeanFactory beans) {
    IdSource only = beans.getBeanProvider(IdSource.class).getIfUnique();
    if (only != null) {
      return only;
    }
    if (beans.containsBean(OF_URL) && beans.isTypeMatch(OF_URL, IdSource.class)) {
      return beans.getBean(OF_URL, IdSource.class);
    }
    Snowflake flake = beans.getBeanProvider(Snowflake.class).getIfUnique();
    if (flake != null) {
      return flake;
    }
    throw unclear("MyBatis", beans, IdSource.class);
  }

  /** Returns the bean of the starter's snowflake, else of the only or primary one, if any. */
  static Optional<String> snowflake(ConfigurableListableBeanFactory beans) {
    if (beans.containsBean(OF_URL) && beans.getBean(OF_URL) instanceof Snowflake) {
      return Optional.of(OF_URL);
    }
    try {
      return only(beans, Snowflake.class);
    } catch (NoUniqueBeanDefinitionException several) {
      throw unclear("An entity", beans, Snowflake.class);
    }
  }

  /** Returns the bean of the only or primary store, if any. */
  static Optional<String> store(ConfigurableListableBeanFactory beans) {
    try {
      return only(beans, JdbcStore.class);
    } catch (NoUniqueBeanDefinitionException several) {
      return Optional.empty();
    }
  }

  private static Optional<String> only(AutowireCapableBeanFactory beans, Class<?> type) {
    try {
      return Optional.of(beans.resolveNamedBean(type).getBeanName());
    } catch (NoUniqueBeanDefinitionException several) {
      throw several;
    } catch (NoSuchBeanDefinitionException none) {
      return Optional.empty();
    }
  }

  private static UnclearSourceException unclear(
      String user, ListableBeanFactory beans, Class<?> type) {
    return new UnclearSourceException(user, List.of(beans.getBeanNamesForType(type)));
  }
}
