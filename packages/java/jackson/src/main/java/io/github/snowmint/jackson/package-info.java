/**
 * Public IDs in JSON. {@link io.github.snowmint.jackson.PublicId} marks a {@code long}, and the
 * mapper gets a module with the keys: {@link io.github.snowmint.jackson.PublicIdModule} for Jackson
 * 2 or {@link io.github.snowmint.jackson.PublicIdJacksonModule} for Jackson 3.
 */
package io.github.snowmint.jackson;
