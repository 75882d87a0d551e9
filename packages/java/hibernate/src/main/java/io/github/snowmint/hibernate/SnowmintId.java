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
 * Marks an identifier from the source of a URL:
 * {@code @Id @SnowmintId(url = "snowflake+sqlite:ids.db?create=true")}.
 *
 * <p>The attribute is a {@code long}, {@code Long} or {@code String}. For {@code uuid:} it is a
 * {@code java.util.UUID} or {@code String}. A value that is set before the entity is persisted is
 * kept. Jackson writes the attribute as a string.
 *
 * <p>Attributes with the same URL share one source in a JVM, which opens with the first
 * {@code SessionFactory} and closes with the last.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@IdGeneratorType(SnowmintGenerator.class)
@JacksonAnnotationsInside
@TextInJson
public @interface SnowmintId {
  /**
   * The URL of the source, as {@code IdSource.open} takes it: {@code snowflake:?worker_id=env},
   * {@code segment+sqlite:ids.db?tag=orders}, {@code uuid:?version=7}, …. {@code ${name}} and
   * {@code ${name:default}} stand for a Hibernate setting, a system property or an environment
   * variable.
   *
   * @return the URL
   */
  String url();

  /**
   * The text form of a 64-bit identifier in an attribute of type {@code String}.
   *
   * @return the form; {@link TextForm#BASE32} sorts as the numbers do
   */
  TextForm form() default TextForm.DECIMAL;
}
