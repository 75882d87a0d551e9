package io.github.snowmint.hibernate;

import io.github.snowmint.TextForm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * A snowflake as identifier, with a worker ID leased from the application's own database:
 * {@code @Id @SnowmintSnowflake}.
 *
 * <p>The attribute is a {@code long}, {@code Long} or {@code String}. Attributes with the same
 * layout share one source in a {@code SessionFactory}'s service registry. It opens with the
 * {@code SessionFactory}, renews its lease on connections of its own, and gives the worker ID back
 * when that closes.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@IdGeneratorType(SnowmintGenerator.class)
public @interface SnowmintSnowflake {
  /**
   * The layout: a preset's name, or fields from the top bit down. {@code ${name}} stands for a
   * setting, as in {@link SnowmintId#url}.
   *
   * @return the layout
   */
  String layout() default "twitter";

  /**
   * Whether to create the library's tables where they are not there.
   *
   * @return true to create them
   */
  boolean create() default false;

  /**
   * How an attribute of type {@code String} writes an identifier.
   *
   * @return the form; {@link TextForm#BASE32} sorts as the numbers do
   */
  TextForm form() default TextForm.DECIMAL;
}
