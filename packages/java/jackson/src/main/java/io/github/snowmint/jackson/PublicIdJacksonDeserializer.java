package io.github.snowmint.jackson;

import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.exc.InvalidFormatException;

/** Reads the ID of a public form, for Jackson 3. */
final class PublicIdJacksonDeserializer extends ValueDeserializer<Long> {
  private final PublicIds ids;
  private final boolean isPrimitive;

  PublicIdJacksonDeserializer(PublicIds ids, boolean isPrimitive) {
    this.ids = ids;
    this.isPrimitive = isPrimitive;
  }

  @Override
  public Long deserialize(JsonParser json, DeserializationContext context) {
    String text = json.getString();
    if (!json.hasToken(JsonToken.VALUE_STRING)) {
      throw refused(json, text, Refused.noText(text));
    }
    try {
      return ids.decode(text);
    } catch (SnowmintException refused) {
      throw refused(json, text, refused);
    }
  }

  /** Refuses null for a primitive, because no public form means the ID 0. */
  @Override
  public Long getNullValue(DeserializationContext context) {
    if (isPrimitive) {
      throw refused(context.getParser(), null, Refused.missing());
    }
    return null;
  }

  @Override
  public Object getAbsentValue(DeserializationContext context) {
    return getNullValue(context);
  }

  private InvalidFormatException refused(JsonParser json, String text, SnowmintException cause) {
    InvalidFormatException error =
        InvalidFormatException.from(json, cause.getMessage(), text, handledType());
    error.initCause(cause);
    return error;
  }

  @Override
  public Class<?> handledType() {
    return isPrimitive ? long.class : Long.class;
  }
}
