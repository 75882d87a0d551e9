package io.github.snowmint.jackson;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import io.github.snowmint.PublicIdKeys;

/**
 * Has a mapper of Jackson 2 write and read what is annotated with {@link PublicId} in its public
 * form. Mappers of Jackson 3 need a {@link PublicIdJacksonModule}.
 */
public final class PublicIdModule extends Module {
  private final PublicIdKeys keys;

  /**
   * A module for mappers.
   *
   * @param keys the keys
   */
  public PublicIdModule(PublicIdKeys keys) {
    this.keys = AnnotatedIds.given(keys);
  }

  /**
   * The keys, for a module of another mapper.
   *
   * @return what the constructor was given
   */
  public PublicIdKeys keys() {
    return keys;
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
    context.insertAnnotationIntrospector(new PublicIdIntrospector(keys));
  }
}
