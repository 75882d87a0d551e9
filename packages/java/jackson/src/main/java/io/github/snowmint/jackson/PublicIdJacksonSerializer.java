package io.github.snowmint.jackson;

import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Writes an ID in its public form, for Jackson 3. */
final class PublicIdJacksonSerializer extends ValueSerializer<Long> {
  private final PublicIds ids;

  PublicIdJacksonSerializer(PublicIds ids) {
    this.ids = ids;
  }

  @Override
  public void serialize(Long id, JsonGenerator json, SerializationContext context) {
    try {
      json.writeString(ids.encode(id));
    } catch (SnowmintException refused) {
      throw DatabindException.from(json, refused.getMessage(), refused);
    }
  }
}
