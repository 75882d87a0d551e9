package io.github.snowmint.shardingsphere;

import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.jdbc.JdbcStore;
import java.util.function.Supplier;

/** Opens the source that a generator's properties name. */
record Opener(Settings settings, Supplier<? extends IdSource> source) {
  IdSource open() {
    return source.get();
  }

  /** Returns an opener of the property {@code url}, which must name a source of this kind. */
  static <S extends IdSource> Opener ofUrl(Settings settings, Class<S> kind, String right) {
    return new Opener(
        settings,
        () -> {
          IdSource opened = open(settings, "url", settings.text("url"));
          if (kind.isInstance(opened)) {
            return opened;
          }
          opened.close();
          throw settings.otherKind("url", right);
        });
  }

  /** Opens a URL. A failure names the property that it came from. */
  static IdSource open(Settings settings, String property, String url) {
    try {
      return IdSource.open(url);
    } catch (SnowmintException failure) {
      throw settings.about(property, failure);
    }
  }

  /** Returns the store in the database of {@code jdbc-url}. Creates its tables if that is set. */
  static JdbcStore store(Settings settings) {
    JdbcStore store =
        new JdbcStore(
            new DriverManagerSource(
                settings.text("jdbc-url"),
                settings.text("jdbc-username"),
                settings.text("jdbc-password")));
    if (settings.flag("create")) {
      try {
        store.createTables();
      } catch (SnowmintException failure) {
        throw settings.about("jdbc-url", failure);
      }
    }
    return store;
  }

  /** Returns the store's failure with advice for this generator. */
  static SnowmintException refused(Settings settings, SnowmintException failure) {
    boolean missing =
        switch (failure.code()) {
          case STORE_MISSING, STORE_SCHEMA, UNKNOWN_TAG -> true;
          default -> false;
        };
    return missing && !settings.flag("create")
        ? new SnowmintException(
            failure.code(),
            failure.getMessage() + "; or set the property create of this generator to true",
            failure)
        : failure;
  }
}
