package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Snowflake;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;

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
    throw new UnclearSourceException(List.of(beans.getBeanNamesForType(IdSource.class)));
  }
}
