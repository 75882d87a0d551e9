package io.github.snowmint.jackson;

import io.github.snowmint.PublicIdKeys;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * Has a mapper of Jackson 3 write and read what is annotated with {@link PublicId} in its public
 * form. Mappers of Jackson 2 need a {@link PublicIdModule}.
 */
public final class PublicIdJacksonModule extends JacksonModule {
  private final PublicIdKeys keys;

  /**
   * A module for mappers.
   *
   * @param keys the keys
   */
  public PublicIdJacksonModule(PublicIdKeys keys) {
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
    context.insertAnnotationIntrospector(new PublicIdJacksonIntrospector(keys));
  }
}
