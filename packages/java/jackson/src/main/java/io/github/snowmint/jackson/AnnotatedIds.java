package io.github.snowmint.jackson;

import io.github.snowmint.Code;
import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The public IDs of annotations, under the keys of a module. */
final class AnnotatedIds {
  private final PublicIdKeys keys;
  private final Map<PublicId, PublicIds> known = new ConcurrentHashMap<>();

  AnnotatedIds(PublicIdKeys keys) {
    this.keys = keys;
  }

  /** Returns the keys of a module, which must not be null. */
  static PublicIdKeys given(PublicIdKeys keys) {
    if (keys == null) {
      throw new SnowmintException(Code.INVALID_PARAMETER, "keys is null");
    }
    return keys;
  }

  PublicIds of(PublicId annotation, Object member) {
    try {
      return known.computeIfAbsent(annotation, it -> keys.publicIds(it.value(), it.form()));
    } catch (SnowmintException refused) {
      String message =
          member + ": @PublicId(\"" + annotation.value() + "\"): " + refused.getMessage();
      throw new SnowmintException(refused.code(), message, refused);
    }
  }

  /** Returns the error of a member that cannot hold a public ID. */
  static SnowmintException unsuitable(Object member, String type) {
    return new SnowmintException(
        Code.INVALID_PARAMETER,
        member
            + " is of type "
            + type
            + ": a public ID is a long or Long, or a Long of a collection or an array");
  }
}
