package shop;

import io.github.snowmint.Segment;
import io.github.snowmint.Stats;
import io.github.snowmint.Store;

class State {
  public static void main(String[] arguments) {
    // --8<-- [start:stats]
    Store store = Store.memory();
    store.ensureTag("orders");
    try (Segment orders = Segment.builder(store, "orders").step(100).prefetch(100).open()) {
      orders.nextIds(30);
      Stats stats = orders.stats();
      System.out.println(stats.kind() + " " + stats.buckets()); // segment [Bucket[left=70, size=100]]
      System.out.println(stats.lastFailure().isPresent()); // false
    }
    // --8<-- [end:stats]
  }
}
