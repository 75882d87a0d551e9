package io.github.snowmint.internal;

import io.github.snowmint.internal.sharing.Apart;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A wait for an ID. Java waits, so that a virtual thread frees its carrier. The native side is
 * asked repeatedly, and never sleeps.
 */
public final class Waiting {
  private static final long MAX_MS = Long.MAX_VALUE / 4 / 1_000_000;
  private static final long LOOK_NS_MIN = 1_000_000;
  private static final long LOOK_NS_MAX = 50_000_000;

  private final long begun = System.nanoTime();
  private final long boundNs;

  /** Begins a wait of {@code waitMs} milliseconds. */
  public Waiting(long waitMs) {
    boundNs = nanos(waitMs);
  }

  /**
   * Returns milliseconds in nanoseconds. A wait beyond the longest possible counts as the longest.
   */
  public static long nanos(long waitMs) {
    return Math.min(waitMs, MAX_MS) * 1_000_000;
  }

  /** Returns the time left to wait, or -1 for an interrupted thread, which stays interrupted. */
  public long leftNs() {
    return Thread.currentThread().isInterrupted() ? -1 : Math.max(boundNs - waitedNs(), 0);
  }

  private long waitedNs() {
    return System.nanoTime() - begun;
  }

  /**
   * Sleeps, but may wake early. A time of 0 means that it is not known. Then it sleeps an eighth of
   * the wait so far, from 1 to 50 ms, so that thousands can wait for a store that is down.
   */
  public void pause(long nanos) {
    long look = Math.min(Math.max(waitedNs() / 8, LOOK_NS_MIN), LOOK_NS_MAX);
    LockSupport.parkNanos(nanos == 0 ? Math.min(look, leftNs()) : nanos);
  }

  /** Makes a call that may wait in native code. A virtual thread makes it on another thread. */
  public static <T> T blocking(Supplier<T> call) {
    return Virtual.isCurrent() ? Apart.call(call) : call.get();
  }

  /** Makes a call without a result, like {@link #blocking(Supplier)}. */
  public static void blocking(Runnable call) {
    if (Virtual.isCurrent()) {
      Apart.run(call);
    } else {
      call.run();
    }
  }

  /** A check for virtual threads, if this Java has them. */
  private static final class Virtual {
    private static final MethodHandle IS_VIRTUAL = find();

    private static MethodHandle find() {
      try {
        MethodType type = MethodType.methodType(boolean.class);
        return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual", type);
      } catch (ReflectiveOperationException beforeJava21) {
        return null;
      }
    }

    static boolean isCurrent() {
      if (IS_VIRTUAL == null) {
        return false;
      }
      try {
        return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
      } catch (Throwable impossible) {
        return false;
      }
    }
  }
}
