package io.github.snowmint;

import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Waiting;
import io.github.snowmint.internal.sharing.Apart;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.function.Supplier;

/** What the builders of all sources share: the wait, and where a store is. */
abstract class SourceBuilder {
  long waitMs = Native.defaultWaitMs();

  final void setMaxWait(Duration wait) {
    waitMs = MintingSource.bound(wait);
  }

  /**
   * Opens a source on a store, which is kept until it is open. One written in Java is called by the
   * caller's own thread, with its locks and its transaction, and heeds an interrupt as it likes.
   */
  static <T extends IdSource> T opened(Object store, Supplier<T> opener) {
    Supplier<T> opening =
        () -> {
          try {
            return opener.get();
          } finally {
            Reference.reachabilityFence(store);
          }
        };
    return store instanceof Store
        ? Apart.open(opening, IdSource::close)
        : Waiting.blocking(opening);
  }

  /** The library's own store, or 0 for one written in Java. */
  static long handle(Object store) {
    return store instanceof Store known ? known.handle() : 0;
  }
}
