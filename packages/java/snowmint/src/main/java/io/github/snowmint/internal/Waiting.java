package io.github.snowmint.internal;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Waiting for an ID: in Java, so that a virtual thread lets its carrier go. The native side is
 * asked again and again, and never sleeps.
 */
public final class Waiting {
  private static final long MAX_MS = Long.MAX_VALUE / 4 / 1_000_000;

  private final long deadline;

  /** Begins a wait of so many milliseconds. */
  public Waiting(long waitMs) {
    deadline = System.nanoTime() + nanos(waitMs);
  }

  /** So many milliseconds; those of a longer wait than any count as the longest. */
  public static long nanos(long waitMs) {
    return Math.min(waitMs, MAX_MS) * 1_000_000;
  }

  /** How long this may still wait; an interrupted thread waits no more, and stays interrupted. */
  public long leftNs() {
    return Thread.currentThread().isInterrupted() ? 0 : Math.max(deadline - System.nanoTime(), 0);
  }

  /** Sleeps; it may wake early. */
  public static void pause(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  /**
   * Makes a call that waits in native code. A virtual thread has it made by another thread, and
   * waits for that one.
   */
  public static <T> T blocking(Callable<T> call) {
    try {
      if (!Virtual.isCurrent()) {
        return call.call();
      }
      Future<T> made = Virtual.THREADS.submit(call);
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return made.get();
          } catch (InterruptedException signal) {
            interrupted = true; // The call is under way, and bounded by its own wait.
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    } catch (ExecutionException failure) {
      throw unchecked(failure.getCause());
    } catch (Exception failure) {
      throw unchecked(failure);
    }
  }

  private static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException unchecked) {
      return unchecked;
    }
    return new SnowmintException(Code.INTERNAL, "a call failed", failure);
  }

  /** Virtual threads, where this Java has them. */
  private static final class Virtual {
    private static final java.lang.invoke.MethodHandle IS_VIRTUAL = find();

    private static final ExecutorService THREADS =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "snowmint-call");
              thread.setDaemon(true);
              return thread;
            });

    private static java.lang.invoke.MethodHandle find() {
      try {
        var type = java.lang.invoke.MethodType.methodType(boolean.class);
        return java.lang.invoke.MethodHandles.publicLookup()
            .findVirtual(Thread.class, "isVirtual", type);
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
