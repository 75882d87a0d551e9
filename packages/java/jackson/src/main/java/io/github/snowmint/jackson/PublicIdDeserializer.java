package io.github.snowmint.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import java.io.IOException;

/** Reads the ID of a public form. */
final class PublicIdDeserializer extends JsonDeserializer<Long> {
  private final PublicIds ids;
  private final boolean isPrimitive;

  PublicIdDeserializer(PublicIds ids, boolean isPrimitive) {
    this.ids = ids;
    this.isPrimitive = isPrimitive;
  }

  @Override
  public Long deserialize(JsonParser json, DeserializationContext context) throws IOException {
    String text = json.getText();
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
  public Long getNullValue(DeserializationContext context) throws InvalidFormatException {
    if (isPrimitive) {
      throw refused(context.getParser(), null, Refused.missing());
    }
    return null;
  }

  @Override
  public Object getAbsentValue(DeserializationContext context) throws InvalidFormatException {
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
