package io.github.snowmint.jackson;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import io.github.snowmint.Code;
import io.github.snowmint.Opaque;
import io.github.snowmint.SnowmintException;

/** Has a mapper write and read what is annotated with {@link PublicId} in its public form. */
public final class PublicIdModule extends Module {
  private final Opaque opaque;

  /**
   * A module for mappers.
   *
   * @param opaque the keys
   */
  public PublicIdModule(Opaque opaque) {
    if (opaque == null) {
      throw new SnowmintException(Code.INVALID_PARAMETER, "opaque is null");
    }
    this.opaque = opaque;
  }

  /** The class's name. */
  @Override
  public String getModuleName() {
    return getClass().getName();
  }

  /** None of Jackson's. */
  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  /** Called by the mapper. */
  @Override
  public void setupModule(SetupContext context) {
    context.insertAnnotationIntrospector(new PublicIdIntrospector(opaque));
  }
}
