package io.github.snowmint;

import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Waiting;
import io.github.snowmint.internal.sharing.Apart;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.function.Supplier;

/** The base of the builders of sources. It holds the wait bound and the store's handle. */
abstract class SourceBuilder {
  long waitMs = Native.defaultWaitMs();

  final void setMaxWait(Duration wait) {
    waitMs = MintingSource.bound(wait);
  }

  /**
   * Opens a source on a store, which stays reachable until then. The caller's own thread calls a
   * store that is written in Java, with the caller's locks and transaction. Such a store handles an
   * interrupt as it likes.
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

  /** Returns the handle of a store of the library's own, or 0 for a store written in Java. */
  static long handle(Object store) {
    return store instanceof Store known ? known.handle() : 0;
  }
}
