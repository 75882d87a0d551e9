package io.github.snowmint.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code snowmint.*}. One with another name fails the start, as it would be passed
 * over, but among the environment's variables and the JVM's own.
 *
 * @param enabled Whether sources are made, and beans that serve them.
 * @param url The source, by a URL such as snowflake:?worker_id=env. Unless set, a snowflake whose
 *     worker ID is leased from the application's DataSource.
 * @param dataSource The name of the DataSource's bean, where there are several.
 * @param createTables Whether to create the library's tables in the DataSource where they are not
 *     there.
 * @param layout The layout: a preset's name, or fields from the top bit down.
 * @param policy The clock policy, by its name.
 * @param maxWait How long a call waits for an ID.
 * @param reserve How much time a lease reserves at most, which is the outage of the database that can
 *     be bridged.
 * @param closeWithin How long the end of the application waits until the store has the worker ID
 *     back.
 */
@ConfigurationProperties(prefix = "snowmint", ignoreUnknownFields = false)
public record SnowmintProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String url,
    @Nullable String dataSource,
    @DefaultValue("embedded") CreateTables createTables,
    @Nullable String layout,
    @Nullable String policy,
    @Nullable Duration maxWait,
    @Nullable Duration reserve,
    @DefaultValue("5s") Duration closeWithin) {

  /** When the library's tables are created. */
  public enum CreateTables {
    /** Where they are not there. */
    ALWAYS,
    /** Where they are not there, in H2. */
    EMBEDDED,
    /** By others, such as migrations. */
    NEVER
  }
}
