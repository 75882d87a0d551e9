/**
 * Public IDs in JSON, for Jackson 2: {@link io.github.snowmint.jackson.PublicId} on a {@code long},
 * and {@link io.github.snowmint.jackson.PublicIdModule} with the keys for the mapper.
 */
package io.github.snowmint.jackson;
