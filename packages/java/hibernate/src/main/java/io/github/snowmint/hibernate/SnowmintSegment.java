package io.github.snowmint.hibernate;

import io.github.snowmint.TextForm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Marks an identifier that is a dense number of a tag, from ranges reserved in the application's
 * own database: {@code @Id @SnowmintSegment(tag = "orders")}. If the application shares its store
 * ({@link ApplicationSources}), as the starter for Spring Boot does, the ranges come from that.
 *
 * <p>The attribute is a {@code long}, {@code Long} or {@code String}. A value that is set before
 * the entity is persisted is kept.
 *
 * <p>Attributes with the same tag and step share one source in a {@code SessionFactory}'s service
 * registry. The source opens and closes with the {@code SessionFactory}, and fetches ranges on
 * connections of its own. Numbers that are fetched and not used are a gap.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@IdGeneratorType(SnowmintGenerator.class)
public @interface SnowmintSegment {
  /**
   * The tag: 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace:
   * {@code shop/orders}. {@code ${name}} stands for a setting, as in {@link SnowmintId#url}.
   *
   * @return the tag
   */
  String tag();

  /**
   * The size of a range. Unless set, it is the tag's step, or more while the tag is busy.
   *
   * @return the step, or 0 for the tag's
   */
  long step() default 0;

  /**
   * True to create the library's tables, and the tag from 1 on, if they do not exist.
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
