package newer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A virtual thread with a result, of a Java that has them; the compiler's has none. */
final class VirtualThread<T> {
  private final FutureTask<T> task;
  private final Thread thread;

  private VirtualThread(Supplier<T> work) throws ReflectiveOperationException {
    task = new FutureTask<>(work::get);
    thread =
        (Thread)
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
  }

  static <T> VirtualThread<T> start(Supplier<T> work) throws ReflectiveOperationException {
    return new VirtualThread<>(work);
  }

  static <T> List<VirtualThread<T>> start(int count, IntFunction<T> work)
      throws ReflectiveOperationException {
    List<VirtualThread<T>> threads = new ArrayList<>(count);
    for (int n = 0; n < count; n++) {
      int number = n;
      threads.add(start(() -> work.apply(number)));
    }
    return threads;
  }

  Thread thread() {
    return thread;
  }

  boolean isParked() {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING -> true;
      default -> false;
    };
  }

  T result() {
    try {
      return task.get();
    } catch (ExecutionException failure) {
      throw new AssertionError(failure.getCause());
    } catch (InterruptedException signal) {
      throw new AssertionError(signal);
    }
  }
}
