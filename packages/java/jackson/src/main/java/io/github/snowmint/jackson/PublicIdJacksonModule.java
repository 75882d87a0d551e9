package io.github.snowmint.jackson;

import io.github.snowmint.PublicIdKeys;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * A module that makes a mapper of Jackson 3 read and write the members with {@link PublicId} in
 * their public form. Mappers of Jackson 2 need a {@link PublicIdModule}.
 */
public final class PublicIdJacksonModule extends JacksonModule {
  private final PublicIdKeys keys;

  /**
   * Creates a module for mappers.
   *
   * @param keys the keys
   */
  public PublicIdJacksonModule(PublicIdKeys keys) {
    this.keys = AnnotatedIds.given(keys);
  }

  /**
   * Returns the keys, for a module of another mapper.
   *
   * @return the keys that the constructor was given
   */
  public PublicIdKeys keys() {
    return keys;
  }

  /** Returns the class's name. */
  @Override
  public String getModuleName() {
    return getClass().getName();
  }

  /** Returns an unknown version. */
  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  /** Adds the introspector of public IDs. The mapper calls this. */
  @Override
  public void setupModule(SetupContext context) {
    context.insertAnnotationIntrospector(new PublicIdJacksonIntrospector(keys));
  }
}
