/** A store in the application's own database, through its {@code DataSource}. */
@NullMarked
package io.github.snowmint.jdbc;

import org.jspecify.annotations.NullMarked;
