package io.github.snowmint.spring;

import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.Layout;
import io.github.snowmint.Snowflake;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/** Opens the source or the store that the properties name. */
final class Opening {
  private Opening() {}

  static IdSource byUrl(SnowmintProperties properties, Environment environment) {
    List<String> others = new ArrayList<>();
    // The property itself has a value even if nobody set it.
    if (environment.containsProperty("snowmint.create-tables")) {
      others.add("snowmint.create-tables");
    }
    if (properties.dataSource() != null) {
      others.add("snowmint.data-source");
    }
    if (properties.keySpace() != null) {
      others.add("snowmint.key-space");
    }
    if (properties.layout() != null) {
      others.add("snowmint.layout");
    }
    if (properties.policy() != null) {
      others.add("snowmint.policy");
    }
    if (properties.maxWait() != null) {
      others.add("snowmint.max-wait");
    }
    if (properties.reserve() != null) {
      others.add("snowmint.reserve");
    }
    if (!others.isEmpty()) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          String.join(", ", others)
              + " beside snowmint.url: set them as the URL's own parameters (create=true,"
              + " key_space, layout, policy, wait_ms, reserve_ms), or leave out the URL to lease from the DataSource");
    }
    return IdSource.open(properties.url());
  }

  static JdbcStore store(
      SnowmintProperties properties, ObjectProvider<DataSource> sources, BeanFactory beans) {
    String name = properties.dataSource();
    DataSource source = name == null ? only(sources) : named(name, beans);
    JdbcStore any = new JdbcStore(source);
    JdbcStore store =
        properties.keySpace() == null ? any : any.withKeySpace(properties.keySpace());
    boolean create =
        switch (properties.createTables()) {
          case ALWAYS -> true;
          case NEVER -> false;
          case EMBEDDED -> isEmbedded(source);
        };
    if (create) {
      store.createTables();
    } else {
      checkTables(store);
    }
    return store;
  }

  /** Refuses missing tables here, because the errors of the store's users name no property. */
  private static void checkTables(JdbcStore store) {
    boolean isWithout = false;
    try {
      isWithout = !store.hasTables();
    } catch (SnowmintException unanswered) {
      // Whatever uses the store reports the cause, with its code.
    }
    if (isWithout) {
      throw new SnowmintException(
          Code.STORE_MISSING,
          "the database of the DataSource has not the tables of snowmint: set"
              + " snowmint.create-tables=always, or create them by your migrations");
    }
  }

  private static DataSource named(String name, BeanFactory beans) {
    try {
      if (beans.containsBean(name)) {
        return beans.getBean(name, DataSource.class);
      }
    } catch (BeanNotOfRequiredTypeException other) {
      // Fails as for a bean that does not exist.
    }
    String[] there =
        beans instanceof ListableBeanFactory all
            ? all.getBeanNamesForType(DataSource.class)
            : new String[0];
    throw new SnowmintException(
        Code.INVALID_PARAMETER,
        "snowmint.data-source="
            + name
            + " names no bean that is a DataSource: there "
            + (there.length == 0 ? "is none" : "are " + String.join(", ", there)));
  }

  /** Returns the only or the primary DataSource. */
  private static DataSource only(ObjectProvider<DataSource> sources) {
    DataSource only = sources.getIfUnique();
    if (only != null) {
      return only;
    }
    boolean several = sources.stream().findAny().isPresent();
    throw new SnowmintException(
        Code.INVALID_PARAMETER,
        several
            ? "there are several DataSources to lease a worker ID from: name the bean of one by"
                + " snowmint.data-source"
            : "there is no DataSource to lease a worker ID from: configure one"
                + " (spring.datasource.url), or say where worker IDs come from, by snowmint.url ="
                + " snowflake:?worker_id=env (the number in SNOWMINT_WORKER_ID) or"
                + " snowflake+sqlite:ids.db?create=true (a file, for one machine)");
  }

  static boolean isEmbedded(DataSource source) {
    try (Connection connection = source.getConnection()) {
      return "H2".equals(connection.getMetaData().getDatabaseProductName());
    } catch (SQLException | RuntimeException failure) {
      return false; // The store reports the cause, with its code.
    }
  }

  static Snowflake byLease(SnowmintProperties properties, JdbcStore store) {
    Snowflake.Builder builder = Snowflake.builder().leaseFrom(store);
    if (properties.layout() != null) {
      builder.layout(Layout.of(properties.layout()));
    }
    if (properties.policy() != null) {
      builder.policy(properties.policy());
    }
    if (properties.maxWait() != null) {
      builder.maxWait(properties.maxWait());
    }
    if (properties.reserve() != null) {
      builder.reserve(properties.reserve());
    }
    return builder.open();
  }
}
