package shop;

import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.jdbc.JdbcStore;
import java.time.Duration;
import org.sqlite.SQLiteDataSource;

class Numbers {
  public static void main(String[] arguments) {
    // --8<-- [start:store]
    SQLiteDataSource database = new SQLiteDataSource(); // or the DataSource of your pool
    database.setUrl("jdbc:sqlite:shop.db");

    JdbcStore store = new JdbcStore(database);
    store.createTables(); // if they are missing
    store.ensureTag("orders");
    // --8<-- [end:store]
    // --8<-- [start:sources]
    try (Segment orders = Segment.builder(store, "orders").open();
        Snowflake flake = Snowflake.builder().leaseFrom(store).open()) {
      System.out.println(orders.nextId()); // 1
      System.out.println(flake.nextId() > 0); // true
      flake.close(Duration.ofSeconds(5)); // before the pool closes
    }
    // --8<-- [end:sources]
  }
}
