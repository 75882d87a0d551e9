/** Unique 64-bit IDs, minted anywhere: snowflakes, and segments from a database. */
module io.github.snowmint {
  // Needed only for stores on a DataSource.
  requires static transitive java.sql;
  // Annotations, which are not needed at run time.
  requires static org.jspecify;
  // Used only if the application has it.
  requires static org.crac;

  exports io.github.snowmint;
  exports io.github.snowmint.engine;
  exports io.github.snowmint.jdbc;
  // Exported to all, because the modules beside this one may be on the class path.
  exports io.github.snowmint.internal.sharing;
}
