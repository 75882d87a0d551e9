package io.github.snowmint.jackson;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import io.github.snowmint.PublicIdKeys;

/**
 * A module that makes a mapper of Jackson 2 read and write the members with {@link PublicId} in
 * their public form. Mappers of Jackson 3 need a {@link PublicIdJacksonModule}.
 */
public final class PublicIdModule extends Module {
  private final PublicIdKeys keys;

  /**
   * Creates a module for mappers.
   *
   * @param keys the keys
   */
  public PublicIdModule(PublicIdKeys keys) {
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
    context.insertAnnotationIntrospector(new PublicIdIntrospector(keys));
  }
}
