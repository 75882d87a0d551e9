package io.github.snowmint.hibernate;

import io.github.snowmint.IdSource;
import io.github.snowmint.Snowflake;
import io.github.snowmint.jdbc.JdbcStore;
import java.util.Optional;

/**
 * The sources that an application shares with its entities. A framework puts one object of this
 * type among the settings of a {@code SessionFactory}, under {@link #SETTING}. The starter for
 * Spring Boot does so. Without it, entities have sources of their own.
 *
 * <p>The thread that builds the factory calls these methods, or with {@code snowmint.lazy=true} the
 * thread that persists first. What they throw fails the start, or that {@code persist}.
 */
public interface ApplicationSources {
  /** The Hibernate setting that holds the object. */
  String SETTING = "snowmint.sources";

  /**
   * The Hibernate setting that opens each source for its first identifier, if it is {@code true}.
   * Otherwise sources open with the factory.
   */
  String LAZY = "snowmint.lazy";

  /**
   * Returns the source of each {@link SnowmintSnowflake}. The application closes it, after the
   * factory.
   *
   * @return the source, or empty to lease a worker ID from the factory's database
   */
  Optional<Snowflake> snowflake();

  /**
   * Returns the store of each {@link SnowmintSegment}.
   *
   * @return the store, or empty for the factory's database
   */
  Optional<JdbcStore> store();

  /**
   * Returns true if missing tables and tags are to be created, as with {@code create = true} in
   * each annotation.
   *
   * @return true to create them
   */
  boolean create();

  /**
   * Returns what makes {@link #create} true, for the errors about missing tables and tags.
   *
   * @return an advice such as {@code set create = true in the annotation}
   */
  String advice();

  /**
   * Reports a source that opened for entities. It closes with the last factory that uses it.
   *
   * @param attribute the class and the attribute of the identifier, such as {@code Invoice.id}
   * @param source the source
   */
  void opened(String attribute, IdSource source);
}
