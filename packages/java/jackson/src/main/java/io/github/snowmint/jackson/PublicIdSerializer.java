package io.github.snowmint.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import java.io.IOException;

/** Writes an ID in its public form. */
final class PublicIdSerializer extends JsonSerializer<Long> {
  private final PublicIds ids;

  PublicIdSerializer(PublicIds ids) {
    this.ids = ids;
  }

  @Override
  public void serialize(Long id, JsonGenerator json, SerializerProvider provider)
      throws IOException {
    try {
      json.writeString(ids.encode(id));
    } catch (SnowmintException refused) {
      throw JsonMappingException.from(json, refused.getMessage(), refused);
    }
  }
}
