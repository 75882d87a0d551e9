/** A store in the application's own database, through its {@code DataSource}. */
package io.github.snowmint.jdbc;
