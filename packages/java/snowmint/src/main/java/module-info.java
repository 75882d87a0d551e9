/** Unique 64-bit IDs, minted anywhere: snowflakes, and segments from a database. */
module io.github.snowmint {
  // Only for stores over a DataSource.
  requires static transitive java.sql;

  exports io.github.snowmint;
  exports io.github.snowmint.engine;
  exports io.github.snowmint.jdbc;
}
