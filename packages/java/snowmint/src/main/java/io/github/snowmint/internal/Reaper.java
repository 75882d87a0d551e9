package io.github.snowmint.internal;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/** Frees native memory once the object around it cannot be reached. */
public final class Reaper {
  private static final Cleaner CLEANER = Cleaner.create(Reaper::thread);

  private Reaper() {}

  /** A daemon that has nothing of the thread which happened to be first. */
  private static Thread thread(Runnable task) {
    Thread thread = new Thread(null, task, "snowmint-cleaner", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }

  /** Has {@code free} called with the handle after {@code owner} is gone. */
  public static void watch(Object owner, long handle, LongConsumer free) {
    CLEANER.register(owner, () -> free.accept(handle));
  }
}
