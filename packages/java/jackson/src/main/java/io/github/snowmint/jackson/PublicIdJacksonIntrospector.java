package io.github.snowmint.jackson;

import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.PublicIds;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/** Tells Jackson 3 what is written and read in another way than it would. */
@SuppressWarnings("serial") // Keys are not serialized, nor is a mapper that has some.
final class PublicIdJacksonIntrospector extends NopAnnotationIntrospector {
  private final AnnotatedIds ids;

  PublicIdJacksonIntrospector(PublicIdKeys keys) {
    this.ids = new AnnotatedIds(keys);
  }

  @Override
  public Object findSerializer(MapperConfig<?> config, Annotated member) {
    PublicIds ids = of(member, false);
    return ids == null ? null : new PublicIdJacksonSerializer(ids);
  }

  @Override
  public Object findContentSerializer(MapperConfig<?> config, Annotated member) {
    PublicIds ids = of(member, true);
    return ids == null ? null : new PublicIdJacksonSerializer(ids);
  }

  @Override
  public Object findDeserializer(MapperConfig<?> config, Annotated member) {
    PublicIds ids = of(member, false);
    return ids == null ? null : new PublicIdJacksonDeserializer(ids, valueOf(member).isPrimitive());
  }

  @Override
  public Object findContentDeserializer(MapperConfig<?> config, Annotated member) {
    PublicIds ids = of(member, true);
    return ids == null ? null : new PublicIdJacksonDeserializer(ids, false);
  }

  /** The public IDs of what a member is, or of what it has many of. */
  private PublicIds of(Annotated member, boolean ofContent) {
    PublicId annotation = member.getAnnotation(PublicId.class);
    if (annotation == null) {
      return null;
    }
    JavaType type = valueOf(member);
    boolean hasMany = type.isContainerType() && type.getContentType().hasRawClass(Long.class);
    if (!isId(type) && (!hasMany || type.isMapLikeType())) {
      throw AnnotatedIds.unsuitable(member, written(type));
    }
    return hasMany == ofContent ? ids.of(annotation, member) : null;
  }

  /** As Java writes it: the canonical name of an array is the JVM's. */
  private static String written(JavaType type) {
    return type.isArrayType() ? written(type.getContentType()) + "[]" : type.toCanonical();
  }

  /** The type of a member's value: of a setter that of its parameter. */
  private static JavaType valueOf(Annotated member) {
    boolean sets = member instanceof AnnotatedMethod method && method.getParameterCount() == 1;
    return sets ? ((AnnotatedMethod) member).getParameterType(0) : member.getType();
  }

  private static boolean isId(JavaType type) {
    return type.hasRawClass(long.class) || type.hasRawClass(Long.class);
  }
}
