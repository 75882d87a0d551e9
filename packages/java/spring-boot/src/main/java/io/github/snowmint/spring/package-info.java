/**
 * Unique 64-bit IDs for Spring Boot 3 and 4: a source as a bean
 * ({@link io.github.snowmint.spring.SnowmintAutoConfiguration}), by the properties of
 * {@link io.github.snowmint.spring.SnowmintProperties}, with its health and its meters.
 */
@NullMarked
package io.github.snowmint.spring;

import org.jspecify.annotations.NullMarked;
