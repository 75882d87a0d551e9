/** Unique 64-bit IDs, minted anywhere: snowflakes, and segments from a database. */
module io.github.snowmint {
  // Only for stores over a DataSource.
  requires static transitive java.sql;
  // Annotations, which nothing needs when it runs.
  requires static org.jspecify;
  // Only where the application has it.
  requires static org.crac;

  exports io.github.snowmint;
  exports io.github.snowmint.engine;
  exports io.github.snowmint.jdbc;
  // To all: the modules beside this one may be on the class path.
  exports io.github.snowmint.internal.sharing;
}
