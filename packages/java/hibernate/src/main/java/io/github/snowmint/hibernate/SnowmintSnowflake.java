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
 * Marks an identifier that is a snowflake: {@code @Id @SnowmintSnowflake}.
 *
 * <p>The source is the application's, if it shares one ({@link ApplicationSources}), as the starter
 * for Spring Boot does. Otherwise it leases a worker ID from the application's own database.
 * Attributes with the same layout then share it in a {@code SessionFactory}'s service registry. It
 * opens with the {@code SessionFactory}, renews its lease on connections of its own, and releases
 * the worker ID when the factory closes.
 *
 * <p>The attribute is a {@code long}, {@code Long} or {@code String}. A value that is set before
 * the entity is persisted is kept. Jackson writes the attribute as a string.
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
   * @return the layout; unless set, that of the application's source, or {@code twitter} if it
   *     shares none
   */
  String layout() default "";

  /**
   * True to create the library's tables if they do not exist. It has no effect if the application
   * shares its source.
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
