package io.github.snowmint.jackson;

import io.github.snowmint.PublicIdForm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an ID that JSON holds in its public form: {@code @PublicId("order") long id}.
 *
 * <p>A mapper of Jackson 2 needs a {@link PublicIdModule}, and a mapper of Jackson 3 a
 * {@link PublicIdJacksonModule}. Without its module a mapper writes the raw ID, without an error.
 *
 * <p>These cases are not supported, and read or write raw IDs: collections under default typing,
 * the property of a {@code @JsonIdentityInfo}, a {@code @JsonKey}, and the {@code @JsonValue} of
 * your own type.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface PublicId {
  /**
   * The type of the IDs.
   *
   * @return 1 to 32 small letters, digits and underscores, the first a letter, the last no
   *     underscore
   */
  String value();

  /**
   * The public form of the IDs.
   *
   * @return the form
   */
  PublicIdForm form() default PublicIdForm.TOKEN;
}
