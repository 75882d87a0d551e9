package io.github.snowmint.jackson;

import io.github.snowmint.Code;
import io.github.snowmint.Opaque;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The public IDs of annotations, by the keys of a module. */
final class TypedIds {
  private final Opaque opaque;
  private final Map<PublicId, PublicIds> known = new ConcurrentHashMap<>();

  TypedIds(Opaque opaque) {
    this.opaque = opaque;
  }

  /** The keys of a module. */
  static Opaque given(Opaque opaque) {
    if (opaque == null) {
      throw new SnowmintException(Code.INVALID_PARAMETER, "opaque is null");
    }
    return opaque;
  }

  PublicIds of(PublicId annotation, Object member) {
    try {
      return known.computeIfAbsent(annotation, it -> opaque.typed(it.value(), it.form()));
    } catch (SnowmintException refused) {
      String message =
          member + ": @PublicId(\"" + annotation.value() + "\"): " + refused.getMessage();
      throw new SnowmintException(refused.code(), message, refused);
    }
  }

  /** The error of a member that cannot hold one. */
  static SnowmintException unsuitable(Object member, String type) {
    return new SnowmintException(
        Code.INVALID_PARAMETER,
        member
            + " is of type "
            + type
            + ": a public ID is a long or Long, or a Long of a collection or an array");
  }
}
