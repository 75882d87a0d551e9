package io.github.snowmint.hibernate;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Work on a thread of its own, where the caller's transaction is not: a managed {@code DataSource}
 * would enlist connections taken there.
 */
final class Apart {
  private Apart() {}

  /** Waits for the end, interrupted or not. */
  static <T> T call(Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread = new Thread(task, "snowmint-hibernate");
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

  static void run(Runnable work) {
    call(
        () -> {
          work.run();
          return null;
        });
  }
}
