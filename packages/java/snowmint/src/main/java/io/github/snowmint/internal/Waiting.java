package io.github.snowmint.internal;

import io.github.snowmint.internal.sharing.Apart;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waiting for an ID: in Java, so that a virtual thread lets its carrier go. The native side is
 * asked again and again, and never sleeps.
 */
public final class Waiting {
  private static final long MAX_MS = Long.MAX_VALUE / 4 / 1_000_000;
  private static final long LOOK_NS_MIN = 1_000_000;
  private static final long LOOK_NS_MAX = 200_000_000;

  private final long begun = System.nanoTime();
  private final long boundNs;

  /** Begins a wait of so many milliseconds. */
  public Waiting(long waitMs) {
    boundNs = nanos(waitMs);
  }

  /** So many milliseconds; those of a longer wait than any count as the longest. */
  public static long nanos(long waitMs) {
    return Math.min(waitMs, MAX_MS) * 1_000_000;
  }

  /** How long this may still wait; -1 of an interrupted thread, which stays interrupted. */
  public long leftNs() {
    return Thread.currentThread().isInterrupted() ? -1 : Math.max(boundNs - waitedNs(), 0);
  }

  private long waitedNs() {
    return System.nanoTime() - begun;
  }

  /**
   * Sleeps; it may wake early. Where the time is 0 nobody knows it: an eighth of the wait so far,
   * so that thousands who wait for a store that is down take no processor.
   */
  public void pause(long nanos) {
    long look = Math.min(Math.max(waitedNs() / 8, LOOK_NS_MIN), LOOK_NS_MAX);
    LockSupport.parkNanos(nanos == 0 ? Math.min(look, leftNs()) : nanos);
  }

  /** Makes a call that may wait in native code: of a virtual thread, apart. */
  public static <T> T blocking(Supplier<T> call) {
    return Virtual.isCurrent() ? Apart.call(call) : call.get();
  }

  /** The same, of a call without a result. */
  public static void blocking(Runnable call) {
    if (Virtual.isCurrent()) {
      Apart.run(call);
    } else {
      call.run();
    }
  }

  /** Virtual threads, where this Java has them. */
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
