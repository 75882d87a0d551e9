package io.github.snowmint.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
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
    if (!json.hasToken(JsonToken.VALUE_STRING)) {
      return (Long) context.handleUnexpectedToken(handledType(), json);
    }
    String text = json.getText();
    try {
      return ids.decode(text);
    } catch (SnowmintException refused) {
      InvalidFormatException error =
          InvalidFormatException.from(json, refused.getMessage(), text, handledType());
      error.initCause(refused);
      throw error;
    }
  }

  /** No ID has a form that is 0. */
  @Override
  public Long getNullValue(DeserializationContext context) throws JsonMappingException {
    if (isPrimitive) {
      throw InvalidNullException.from(context, null, context.constructType(long.class));
    }
    return null;
  }

  @Override
  public Object getAbsentValue(DeserializationContext context) throws JsonMappingException {
    return getNullValue(context);
  }

  @Override
  public Class<?> handledType() {
    return isPrimitive ? long.class : Long.class;
  }
}
