package shop;

import io.github.snowmint.Allocation;
import io.github.snowmint.Segment;
import io.github.snowmint.SegmentStore;
import java.util.concurrent.atomic.AtomicLong;

/** Numbers from a database of your own. */
class OwnStore {
  public static void main(String[] arguments) {
    // --8<-- [start:allocate]
    AtomicLong next = new AtomicLong(1); // stands for: UPDATE … SET next = next + count
    SegmentStore store =
        (tag, count) -> {
          long start = next.getAndAdd(count.orElse(1000));
          return Allocation.of(start, start + count.orElse(1000)); // the end is not included
        };
    try (Segment orders = Segment.builder(store, "orders").open()) {
      System.out.println(orders.nextId());
    }
    // --8<-- [end:allocate]
  }
}
