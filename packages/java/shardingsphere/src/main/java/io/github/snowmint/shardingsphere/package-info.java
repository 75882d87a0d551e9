/**
 * Key generators for ShardingSphere, which finds them by their type names:
 * {@code SNOWMINT_SNOWFLAKE}, {@code SNOWMINT_SEGMENT} and {@code SNOWMINT_UUID}.
 *
 * <p>Nothing here is called by applications: the classes are public for ShardingSphere to load, and
 * for their documentation, which lists each one's properties. A property that is not known, that is
 * ill-formed or that would be without effect fails the data source when it is built, by a {@link
 * io.github.snowmint.SnowmintException} that names it and says what would be right.
 *
 * <p>Generators of the same type and properties share one source in a JVM, over tables and data
 * sources. It is opened when the first is configured, and closed when the last is closed or, as
 * ShardingSphere closes none, cannot be reached any more.
 */
@NullMarked
package io.github.snowmint.shardingsphere;

import org.jspecify.annotations.NullMarked;
