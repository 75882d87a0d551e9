package io.github.snowmint.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** One thread that mints without a pause: the rate is the layout's, the cost is the thread's. */
@State(Scope.Thread)
public class Sustained {
  /** IDs a second of 41/10/12. */
  static final double CAP = 4_096_000;

  private static final int STRETCH = 4_096 * 20;
  private static final int BORROWED = 5_000_000;

  @Param({"FIXED", "COSID", "HUTOOL", "SHARDINGSPHERE"})
  public Flakes flake;

  private final Resources resources = new Resources();
  private LongSupplier source;

  /** Nanoseconds of the thread on a processor, and of the clock on the wall. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Share {
    public long cpuNs;
    public long wallNs;
  }

  static List<Flakes> measured() {
    return List.of(Flakes.FIXED, Flakes.COSID, Flakes.HUTOOL, Flakes.SHARDINGSPHERE);
  }

  @Setup
  public void open() throws Exception {
    source = flake.open(resources);
    if (flake.kind == Flakes.Kind.OURS) {
      spendWhatMayBeBorrowed();
    }
  }

  /** A second of the future, before the count begins. */
  private void spendWhatMayBeBorrowed() {
    for (int n = 0; n < BORROWED; n++) {
      source.getAsLong();
    }
  }

  @Benchmark
  @OperationsPerInvocation(STRETCH)
  public void mint(Share share, Blackhole hole) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    LongSupplier present = source;
    long cpuNs = threads.getCurrentThreadCpuTime();
    long wallNs = System.nanoTime();
    for (int n = 0; n < STRETCH; n++) {
      hole.consume(present.getAsLong());
    }
    share.cpuNs += threads.getCurrentThreadCpuTime() - cpuNs;
    share.wallNs += System.nanoTime() - wallNs;
  }

  @TearDown
  public void close() throws Exception {
    resources.close();
  }
}
