package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Snowflake;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;

/** The source of what asks for no particular one. */
final class MainSource {
  /** The starter's bean of a URL. */
  static final String OF_URL = "idSource";
  /** That of a lease from the application's database. */
  static final String OF_DATABASE = "snowflake";
  /** The store that it is leased from. */
  static final String STORE = "snowmintStore";

  private MainSource() {}

  /** The only one or the primary, or else the starter's own, or what is there in its place. */
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
