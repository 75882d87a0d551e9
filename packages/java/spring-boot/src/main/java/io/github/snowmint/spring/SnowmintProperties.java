package io.github.snowmint.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code snowmint.*}. An unknown name fails the start, because it would be ignored.
 * Environment variables and system properties of the JVM are exempt.
 *
 * @param enabled True to create sources, and the beans that serve them.
 * @param url The URL of the source, such as snowflake:?worker_id=env. Unless set, the source is a
 *     snowflake whose worker ID is leased from the application's DataSource.
 * @param dataSource The name of the DataSource's bean, if there are several.
 * @param keySpace The required key space, of 32 hexadecimal digits. Tables of another one are
 *     refused. Unless set, the first one seen is used.
 * @param createTables The condition for creating missing tables of the library, and missing tags of
 *     entities.
 * @param layout The layout: a preset's name, or fields from the top bit down.
 * @param policy The name of the clock policy.
 * @param maxWait The longest time that a call waits for an ID.
 * @param reserve The longest time that a lease reserves, which is the database outage that it can
 *     bridge.
 * @param closeWithin The longest time that the end of the application waits until the store has the
 *     worker ID back.
 */
@ConfigurationProperties(prefix = "snowmint", ignoreUnknownFields = false)
public record SnowmintProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String url,
    @Nullable String dataSource,
    @Nullable String keySpace,
    @DefaultValue("embedded") CreateTables createTables,
    @Nullable String layout,
    @Nullable String policy,
    @Nullable Duration maxWait,
    @Nullable Duration reserve,
    @DefaultValue("5s") Duration closeWithin) {

  /** The condition for creating the library's tables, and the tags of entities. */
  public enum CreateTables {
    /** Create what does not exist. */
    ALWAYS,
    /** Create what does not exist if the database is H2. */
    EMBEDDED,
    /** Create nothing. Others do, for example migrations. */
    NEVER
  }
}
