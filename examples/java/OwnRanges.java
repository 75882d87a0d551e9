package shop;

import io.github.snowmint.Allocation;
import io.github.snowmint.Segment;
import io.github.snowmint.SegmentStore;
import java.util.concurrent.atomic.AtomicLong;

class OwnRanges {
  public static void main(String[] arguments) {
    // --8<-- [start:ranges]
    AtomicLong row = new AtomicLong(1); // stands for UPDATE … SET next = next + count
    SegmentStore store =
        (tag, count) -> {
          long start = row.getAndAdd(count.orElse(1000));
          return Allocation.of(start, start + count.orElse(1000));
        };
    try (Segment orders = Segment.builder(store, "orders").open()) {
      System.out.println(orders.nextId()); // 1
    }
    // --8<-- [end:ranges]
  }
}
