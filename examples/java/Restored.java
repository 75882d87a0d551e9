package shop;

import io.github.snowmint.Snowflake;
import io.github.snowmint.Snowmint;
import io.github.snowmint.Store;
import java.nio.file.Path;

class Restored {
  public static void main(String[] arguments) {
    Store store = Store.createSqlite(Path.of("leases.db"));
    // --8<-- [start:restored]
    try (Snowflake flake = Snowflake.builder().leaseFrom(store).open()) {
      long before = flake.layout().decode(flake.nextId()).workerId();
      Snowmint.onRestore(); // before the first ID after a restore
      long after = flake.layout().decode(flake.nextId()).workerId();
      System.out.println(before == after); // false
    }
    // --8<-- [end:restored]
  }
}
