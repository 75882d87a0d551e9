package io.github.snowmint.internal;

import io.github.snowmint.Snowmint;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Has CRaC, and SnapStart, which calls it, tell of images of this process. What is reserved is
 * dropped before the image is made as well: others may mint on their way back before this is told.
 */
final class Checkpoint implements Resource {
  /** Kept here: CRaC holds it weakly. */
  private static final Checkpoint SELF = new Checkpoint();

  private Checkpoint() {}

  /** Asks to be told. */
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
