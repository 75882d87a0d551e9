/**
 * Identifiers of JPA entities, for Hibernate ORM. {@link io.github.snowmint.hibernate.SnowmintId}
 * uses the source of a URL. {@link io.github.snowmint.hibernate.SnowmintSnowflake} and
 * {@link io.github.snowmint.hibernate.SnowmintSegment} use the application's own database, or what
 * it shares by {@link io.github.snowmint.hibernate.ApplicationSources}.
 *
 * <p>An identifier exists before its row is inserted, so inserts can be batched. Failures are
 * {@link io.github.snowmint.SnowmintException}s. A wrong annotation fails the
 * {@code SessionFactory}.
 *
 * <p>Sources in the application's own database take connections from Hibernate's connection
 * provider. These are separate from the sessions' connections and transactions, so a pool needs one
 * more than its sessions use. With several tenants they belong to any tenant. Sources open and
 * close on threads of their own, so they never join a transaction of the caller.
 */
@NullMarked
package io.github.snowmint.hibernate;

import org.jspecify.annotations.NullMarked;
