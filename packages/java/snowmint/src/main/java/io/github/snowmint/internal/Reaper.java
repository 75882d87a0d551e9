package io.github.snowmint.internal;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/** Frees native memory once the object around it cannot be reached. */
public final class Reaper {
  // Its thread is the JDK's: one of ours would keep our class loader from being collected.
  private static final Cleaner CLEANER = Cleaner.create();

  private Reaper() {}

  /** Has {@code free} called with the handle after {@code owner} is gone. */
  public static void watch(Object owner, long handle, LongConsumer free) {
    CLEANER.register(owner, () -> free.accept(handle));
  }
}
