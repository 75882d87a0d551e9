package io.github.snowmint.internal.sharing;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Runs work on a thread of its own, outside the caller's transaction and without holding a carrier.
 */
public final class Apart {
  private Apart() {}

  /**
   * Waits for the end, even if interrupted, because the work has begun and has a bound of its own.
   */
  public static <T> T call(Supplier<T> work) {
    CompletableFuture<T> done = begin(work, unused -> {});
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return done.get();
        } catch (InterruptedException wake) {
          interrupted = true;
        } catch (ExecutionException failure) {
          throw unchecked(failure.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Runs work without a result, like {@link #call}. */
  public static void run(Runnable work) {
    call(
        () -> {
          work.run();
          return null;
        });
  }

  /**
   * Opens something. An interrupted caller stops waiting, and stays interrupted. The closer then
   * receives whatever opens later.
   */
  public static <T> T open(Supplier<T> opener, Consumer<T> closer) {
    CompletableFuture<T> done = begin(opener, closer);
    try {
      return done.get();
    } catch (ExecutionException failure) {
      throw unchecked(failure.getCause());
    } catch (InterruptedException signal) {
      Thread.currentThread().interrupt();
      SnowmintException interrupted =
          new SnowmintException(
              Code.WAIT_TIMEOUT,
              "the thread was interrupted while this was being opened: what opens all the same is"
                  + " closed; open it again");
      if (done.completeExceptionally(interrupted)) {
        throw interrupted;
      }
      return done.join(); // Opening was quicker than the interrupt.
    }
  }

  /**
   * Begins work. A result that comes after the caller has stopped waiting goes to {@code unwanted}.
   */
  private static <T> CompletableFuture<T> begin(Supplier<T> work, Consumer<T> unwanted) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Runnable working =
        () -> {
          try {
            T result = work.get();
            if (!done.complete(result)) {
              unwanted.accept(result);
            }
          } catch (Throwable failure) {
            done.completeExceptionally(failure);
          }
        };
    Thread thread = new Thread(working, "snowmint-call");
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  /**
   * Returns the failure with the caller's stack trace added. The work throws no checked exceptions.
   */
  private static RuntimeException unchecked(Throwable failure) {
    StackTraceElement[] here = new Throwable().getStackTrace();
    failure.setStackTrace(
        Stream.of(failure.getStackTrace(), here)
            .flatMap(Stream::of)
            .toArray(StackTraceElement[]::new));
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }
}
