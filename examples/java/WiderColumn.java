package shop;

import io.github.snowmint.Segment;
import io.github.snowmint.Store;
import io.github.snowmint.TagChange;
import io.github.snowmint.TagOptions;

class WiderColumn {
  public static void main(String[] arguments) {
    Store store = Store.memory();
    // --8<-- [start:max]
    store.createTag("orders", TagOptions.USUAL.withMax(2_147_483_647L)); // of an INT column
    // --8<-- [end:max]
    try (Segment orders = Segment.builder(store, "orders").open()) {
      System.out.println(orders.nextId()); // 1
      // --8<-- [start:widen]
      store.changeTag("orders", TagChange.NONE.withMax(1L << 53)); // the column is a BIGINT now
      // --8<-- [end:widen]
      System.out.println(orders.nextId()); // 2
    }
  }
}
