package io.github.snowmint.internal.sharing;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** Work on a thread of its own, which is none of the caller's transaction and holds no carrier. */
public final class Apart {
  private Apart() {}

  /** Waits for the end, interrupted or not: the work is under way, and bounded by itself. */
  public static <T> T call(Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread = new Thread(task, "snowmint-call");
    thread.setDaemon(true);
    thread.start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException wake) {
          interrupted = true;
        } catch (ExecutionException failure) {
          // The work throws nothing that is checked.
          if (failure.getCause() instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) failure.getCause();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The same, of work without a result. */
  public static void run(Runnable work) {
    call(
        () -> {
          work.run();
          return null;
        });
  }
}
