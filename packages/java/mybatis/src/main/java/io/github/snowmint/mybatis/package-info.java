/**
 * Keys of rows, for MyBatis ({@link io.github.snowmint.mybatis.SnowmintInterceptor}, which fills what
 * {@link io.github.snowmint.mybatis.SnowmintId} marks) and for MyBatis-Plus
 * ({@link io.github.snowmint.mybatis.SnowmintIdentifiers}).
 */
@NullMarked
package io.github.snowmint.mybatis;

import org.jspecify.annotations.NullMarked;
