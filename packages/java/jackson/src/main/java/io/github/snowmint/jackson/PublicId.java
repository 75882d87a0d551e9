package io.github.snowmint.jackson;

import io.github.snowmint.PublicIdForm;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An ID that JSON has in its public form: {@code @PublicId("order") long id}. A mapper of Jackson 2
 * needs a {@link PublicIdModule}, one of Jackson 3 a {@link PublicIdJacksonModule}: without its own
 * it writes the raw ID, and says nothing. Not supported, as raw IDs are written or read there:
 * collections under default typing, the property of a {@code @JsonIdentityInfo}, a {@code @JsonKey},
 * and the {@code @JsonValue} of a type of one's own.
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
   * What they look like from outside.
   *
   * @return the form
   */
  PublicIdForm form() default PublicIdForm.TOKEN;
}
