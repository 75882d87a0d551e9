package io.github.snowmint.bench;

import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Bursts that each begin with a fresh millisecond, so short that no generator of 4096 IDs a
 * millisecond has to wait in one.
 */
@State(Scope.Thread)
public class Bursts {
  static final int BURST = 1_500;

  @Param public Flakes flake;

  private final Resources resources = new Resources();
  private LongSupplier source;

  @Setup
  public void open() throws Exception {
    source = flake.open(resources);
  }

  /** Spins: a processor put to sleep would begin the burst slowly. */
  @Setup(Level.Invocation)
  public void awaitMillisecond() {
    long begun = System.currentTimeMillis();
    while (System.currentTimeMillis() == begun) {
      Thread.onSpinWait();
    }
  }

  @Benchmark
  @OperationsPerInvocation(BURST)
  public void burst(Blackhole hole) {
    LongSupplier present = source;
    for (int n = 0; n < BURST; n++) {
      hole.consume(present.getAsLong());
    }
  }

  @TearDown
  public void close() throws Exception {
    resources.close();
  }
}
