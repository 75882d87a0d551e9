package io.github.snowmint.hibernate;

import io.github.snowmint.TextForm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Dense numbers of a tag as identifiers, from ranges reserved in the application's own database:
 * {@code @Id @SnowmintSegment(tag = "orders")}.
 *
 * <p>The attribute is a {@code long}, {@code Long} or {@code String}. Attributes with the same tag
 * and step share one source in a {@code SessionFactory}'s service registry. It opens with the
 * {@code SessionFactory}, fetches ranges on connections of its own, and closes with it; what is
 * fetched and not used is a gap.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@IdGeneratorType(SnowmintGenerator.class)
public @interface SnowmintSegment {
  /**
   * Whose numbers: 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace: {@code
   * shop/orders}. {@code ${name}} stands for a setting, as in {@link SnowmintId#url}.
   *
   * @return the tag
   */
  String tag();

  /**
   * How many numbers a range has; unless set the tag's step, more while it is busy.
   *
   * @return the step, or 0 for the tag's
   */
  long step() default 0;

  /**
   * Whether to create the library's tables, and the tag from 1 on, where they are not there.
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
