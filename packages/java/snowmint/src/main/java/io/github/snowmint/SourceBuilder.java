package io.github.snowmint;

import io.github.snowmint.internal.Native;
import java.time.Duration;

/** What the builders of all sources share: the wait, and where a store is. */
abstract class SourceBuilder {
  long waitMs = Native.defaultWaitMs();

  final void setMaxWait(Duration wait) {
    waitMs = MintingSource.bound(wait);
  }

  /** The library's own store, or 0 for one written in Java. */
  static long handle(Object store) {
    return store instanceof Store known ? known.handle() : 0;
  }
}
