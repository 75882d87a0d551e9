/**
 * Public IDs in JSON: {@link io.github.snowmint.jackson.PublicId} on a {@code long}, and for the
 * mapper a module with the keys, {@link io.github.snowmint.jackson.PublicIdModule} of Jackson 2 or
 * {@link io.github.snowmint.jackson.PublicIdJacksonModule} of Jackson 3.
 */
package io.github.snowmint.jackson;
