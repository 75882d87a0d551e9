package io.github.snowmint.bench;

import io.github.snowmint.Layout;
import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.Step;
import io.github.snowmint.Store;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** IDs by the block. */
public class Bulk {
  static final int BLOCK = 4_096;

  /** A layout of 4 billion IDs a second: what is measured is not its cap. */
  @State(Scope.Thread)
  public static class Wide {
    private final Directory directory = new Directory();
    private final long[] block = new long[BLOCK];
    private final Snowflake flake =
        Snowflake.builder()
            .layout(Layout.of("time:41,sequence:22"))
            .workerId(0)
            .stateDirectory(directory.path)
            .open();

    @TearDown
    public void close() {
      flake.close();
      directory.close();
    }
  }

  @State(Scope.Thread)
  public static class Numbers {
    private final long[] block = new long[BLOCK];
    private final Segment segment = open();

    private static Segment open() {
      Store store = Store.open("memory:");
      store.createTag("orders");
      return Segment.builder(store, "orders").step(Step.fixed(1 << 24)).open();
    }

    @TearDown
    public void close() {
      segment.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(BLOCK)
  public long[] flakeFill(Wide wide) {
    wide.flake.fill(wide.block);
    return wide.block;
  }

  @Benchmark
  @OperationsPerInvocation(BLOCK)
  public long[] flakeNextIds(Wide wide) {
    return wide.flake.nextIds(BLOCK);
  }

  @Benchmark
  @OperationsPerInvocation(BLOCK)
  public long[] segmentFill(Numbers numbers) {
    numbers.segment.fill(numbers.block);
    return numbers.block;
  }
}
