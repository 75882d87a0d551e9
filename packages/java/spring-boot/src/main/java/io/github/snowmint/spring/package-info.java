/**
 * Unique 64-bit IDs for Spring Boot 3 and 4.
 * {@link io.github.snowmint.spring.SnowmintAutoConfiguration} makes a source a bean, with the
 * properties of {@link io.github.snowmint.spring.SnowmintProperties}, a health indicator and
 * meters. Entities with the annotations of {@link io.github.snowmint.hibernate} share that source.
 */
@NullMarked
package io.github.snowmint.spring;

import org.jspecify.annotations.NullMarked;
