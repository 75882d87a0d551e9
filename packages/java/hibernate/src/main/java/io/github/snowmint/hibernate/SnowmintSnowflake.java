package io.github.snowmint.hibernate;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import io.github.snowmint.TextForm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Marks an identifier that is a snowflake, with a worker ID leased from the application's own
 * database: {@code @Id @SnowmintSnowflake}.
 *
 * <p>The attribute is a {@code long}, {@code Long} or {@code String}. Attributes with the same
 * layout share one source in a {@code SessionFactory}'s service registry. The source opens with the
 * {@code SessionFactory}, renews its lease on connections of its own, and releases the worker ID
 * when the factory closes.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@IdGeneratorType(SnowmintGenerator.class)
@JacksonAnnotationsInside
@TextInJson
public @interface SnowmintSnowflake {
  /**
   * The layout: a preset's name, or fields from the top bit down. {@code ${name}} stands for a
   * setting, as in {@link SnowmintId#url}.
   *
   * @return the layout
   */
  String layout() default "twitter";

  /**
   * True to create the library's tables if they do not exist.
   *
   * @return true to create them; false by default
   */
  boolean create() default false;

  /**
   * The text form of an identifier in an attribute of type {@code String}.
   *
   * @return the form; {@link TextForm#BASE32} sorts as the numbers do
   */
  TextForm form() default TextForm.DECIMAL;
}
