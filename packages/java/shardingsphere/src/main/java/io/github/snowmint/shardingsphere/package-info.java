/**
 * Key generators for ShardingSphere, which finds them by their type names:
 * {@code SNOWMINT_SNOWFLAKE}, {@code SNOWMINT_SEGMENT} and {@code SNOWMINT_UUID}.
 *
 * <p>Applications call nothing here. The classes are public so that ShardingSphere can load them,
 * and their documentation lists the properties. An unknown, ill-formed or ineffective property
 * fails the data source when it is built. The {@link io.github.snowmint.SnowmintException} names
 * the property and says what would be right.
 *
 * <p>Generators of the same type and properties share one source in a JVM, across tables and data
 * sources. The source opens when the first generator is configured. It closes when the last is
 * closed or becomes unreachable, because ShardingSphere closes none.
 */
@NullMarked
package io.github.snowmint.shardingsphere;

import org.jspecify.annotations.NullMarked;
