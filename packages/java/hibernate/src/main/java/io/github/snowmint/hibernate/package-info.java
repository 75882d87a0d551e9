/**
 * Identifiers of JPA entities, for Hibernate ORM: {@link io.github.snowmint.hibernate.SnowmintId}
 * of a source's URL, {@link io.github.snowmint.hibernate.SnowmintSnowflake} and
 * {@link io.github.snowmint.hibernate.SnowmintSegment} of the application's own database.
 *
 * <p>Identifiers are there before the row is inserted, so inserts can be batched. Failures are
 * {@link io.github.snowmint.SnowmintException}s; a wrong annotation fails the
 * {@code SessionFactory}.
 *
 * <p>What comes from the application's own database takes connections of Hibernate's connection
 * provider, beside those of sessions and outside their transactions: a pool needs one more than its
 * sessions use. With several tenants they are those of any tenant. Sources are opened and closed on
 * threads of their own, so that no transaction of the caller's is joined.
 */
@NullMarked
package io.github.snowmint.hibernate;

import org.jspecify.annotations.NullMarked;
