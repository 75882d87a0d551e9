/**
 * Keys of rows. For MyBatis, {@link io.github.snowmint.mybatis.SnowmintInterceptor} fills the
 * fields with {@link io.github.snowmint.mybatis.SnowmintId}. For MyBatis-Plus, use
 * {@link io.github.snowmint.mybatis.SnowmintIdentifiers}.
 */
@NullMarked
package io.github.snowmint.mybatis;

import org.jspecify.annotations.NullMarked;
