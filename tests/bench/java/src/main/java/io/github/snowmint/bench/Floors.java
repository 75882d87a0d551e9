package io.github.snowmint.bench;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** Calls that nothing can be faster than. */
@State(Scope.Benchmark)
public class Floors {
  /** The system property with the path of the library of {@code floor/}. */
  static final String LIBRARY = "snowmint.bench.floor";

  static {
    System.load(System.getProperty(LIBRARY));
  }

  private final AtomicLong counter = new AtomicLong();
  private final long[] from = new long[Bulk.BLOCK];
  private long handle = 7;

  static native long empty(long handle);

  static native long clock(long handle);

  /** A text as long as a token, always the same. */
  static native String text(long handle, long id);

  @Benchmark
  public long nativeCall() {
    return empty(handle);
  }

  @Benchmark
  public long nativeClock() {
    return clock(handle);
  }

  @Benchmark
  public long javaClock() {
    return System.currentTimeMillis();
  }

  @Benchmark
  public long add() {
    return counter.incrementAndGet();
  }

  @Benchmark
  @Threads(2)
  public long addOnTwo() {
    return counter.incrementAndGet();
  }

  @Benchmark
  @OperationsPerInvocation(Bulk.BLOCK)
  public long[] copy() {
    return from.clone();
  }
}
