package io.github.snowmint.mybatis;

import io.github.snowmint.TextForm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field that {@link SnowmintInterceptor} fills before its object is inserted, where it is
 * {@code null} or 0: a {@code long}, {@code Long} or {@code String}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface SnowmintId {
  /**
   * How a field of type {@code String} writes an ID.
   *
   * @return the form; {@link TextForm#BASE32} sorts as the numbers do
   */
  TextForm form() default TextForm.DECIMAL;
}
