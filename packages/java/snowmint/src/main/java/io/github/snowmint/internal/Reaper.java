package io.github.snowmint.internal;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/** Frees native memory once the object around it is unreachable. */
public final class Reaper {
  // The cleaner's thread is the JDK's. A thread of ours would keep our class loader from being
  // collected.
  private static final Cleaner CLEANER = Cleaner.create();

  private Reaper() {}

  /** Registers a call of {@code free} with the handle, once {@code owner} is unreachable. */
  public static void watch(Object owner, long handle, LongConsumer free) {
    CLEANER.register(owner, () -> free.accept(handle));
  }
}
