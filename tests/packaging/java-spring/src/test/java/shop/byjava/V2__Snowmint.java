package shop.byjava;

import io.github.snowmint.jdbc.JdbcStore;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;

/** The library's tables, as a migration of Flyway's. */
public class V2__Snowmint extends BaseJavaMigration {
  @Override
  public void migrate(Context context) {
    new JdbcStore(context.getConfiguration().getDataSource()).createTables();
  }
}
