package io.github.snowmint.internal;

import io.github.snowmint.Snowmint;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Learns from CRaC, and from SnapStart, which calls it, that this process continues from an image.
 * It drops the reservations before the image is made too, because other resources may mint during a
 * restore before this one is called.
 */
final class Checkpoint implements Resource {
  /** Kept here, because CRaC holds it weakly. */
  private static final Checkpoint SELF = new Checkpoint();

  private Checkpoint() {}

  /** Registers with CRaC. */
  static void watch() {
    Core.getGlobalContext().register(SELF);
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    Snowmint.onRestore();
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    Snowmint.onRestore();
  }
}
