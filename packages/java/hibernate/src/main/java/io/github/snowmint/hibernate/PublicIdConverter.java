package io.github.snowmint.hibernate;

import io.github.snowmint.Code;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import jakarta.persistence.AttributeConverter;

/**
 * An attribute that holds the public form of an ID, while its column holds the ID itself. A query
 * for a public form uses the raw key.
 *
 * <p>A subclass in the application names the type of the IDs:
 *
 * <pre>{@code
 * class OrderIds extends PublicIdConverter {
 *   OrderIds() {
 *     super(Shop.KEYS.publicIds("order"));
 *   }
 * }
 * }</pre>
 *
 * <p>JPA does not convert an {@code @Id}. So the attribute is a second one of the same column:
 * {@code @Column(name = "id", insertable = false, updatable = false) @Convert(converter =
 * OrderIds.class) String publicId}.
 *
 * <p>Parameters and selected attributes are converted. Literals, operators and functions of HQL use
 * the raw ID: {@code publicId = 1} compares it, and {@code publicId || ''} returns it.
 */
public abstract class PublicIdConverter implements AttributeConverter<String, Long> {
  private final PublicIds ids;

  /**
   * Creates a converter for the IDs of one type.
   *
   * @param ids the public IDs of the type
   */
  protected PublicIdConverter(PublicIds ids) {
    if (ids == null) {
      throw new SnowmintException(Code.INVALID_PARAMETER, "ids is null");
    }
    this.ids = ids;
  }

  /**
   * Returns the ID of a public form.
   *
   * @param publicId the public form, or {@code null}
   * @return the ID, or {@code null}
   * @throws SnowmintException {@link Code#NOT_FOUND} or another code of {@link PublicIds#decode}
   */
  @Override
  public final Long convertToDatabaseColumn(String publicId) {
    return publicId == null ? null : ids.decode(publicId);
  }

  /**
   * Returns the public form of an ID.
   *
   * @param id the ID, or {@code null}
   * @return its public form, or {@code null}
   */
  @Override
  public final String convertToEntityAttribute(Long id) {
    return id == null ? null : ids.encode(id);
  }
}
