package shop;

import io.github.snowmint.Migration;
import io.github.snowmint.Segment;
import io.github.snowmint.Store;

class Tables {
  public static void main(String[] arguments) {
    // --8<-- [start:migrate]
    Migration migration = Store.migrate("sqlite:orders.db"); // or postgres://owner@host/ids
    System.out.println(migration.report());
    // --8<-- [end:migrate]
    Store.open("sqlite:orders.db").ensureTag("orders");
    try (Segment orders = Segment.open("segment+sqlite:orders.db?tag=orders")) {
      System.out.println(orders.nextId()); // 1
    }
    // --8<-- [start:dry]
    Store.migration("sqlite:orders.db").statements().forEach(System.out::println);
    // --8<-- [end:dry]
  }
}
