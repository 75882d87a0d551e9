package io.github.snowmint.hibernate;

import io.github.snowmint.Code;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import jakarta.persistence.AttributeConverter;

/**
 * An attribute that has the public form of an ID, in a column that has the ID itself: what is asked
 * for by its public form is found by the raw key.
 *
 * <p>A class of the application's says which IDs:
 *
 * <pre>{@code
 * class OrderIds extends PublicIdConverter {
 *   OrderIds() {
 *     super(Shop.KEYS.publicIds("order"));
 *   }
 * }
 * }</pre>
 *
 * <p>JPA converts no {@code @Id}: the attribute is another one of the same column, {@code
 * @Column(name = "id", insertable = false, updatable = false) @Convert(converter = OrderIds.class)
 * String publicId}.
 *
 * <p>Parameters and selected attributes are converted. Literals, operators and functions of HQL have
 * the raw ID: {@code publicId = 1} asks by it, {@code publicId || ''} gives it.
 */
public abstract class PublicIdConverter implements AttributeConverter<String, Long> {
  private final PublicIds ids;

  /**
   * A converter of one type's IDs.
   *
   * @param ids what they look like from outside
   */
  protected PublicIdConverter(PublicIds ids) {
    if (ids == null) {
      throw new SnowmintException(Code.INVALID_PARAMETER, "ids is null");
    }
    this.ids = ids;
  }

  /**
   * The ID of a public form.
   *
   * @param publicId the public form, or {@code null}
   * @return the ID, or {@code null}; {@link Code#NOT_FOUND} and others as {@link PublicIds#decode}
   */
  @Override
  public final Long convertToDatabaseColumn(String publicId) {
    return publicId == null ? null : ids.decode(publicId);
  }

  /**
   * The public form of an ID.
   *
   * @param id the ID, or {@code null}
   * @return its public form, or {@code null}
   */
  @Override
  public final String convertToEntityAttribute(Long id) {
    return id == null ? null : ids.encode(id);
  }
}
