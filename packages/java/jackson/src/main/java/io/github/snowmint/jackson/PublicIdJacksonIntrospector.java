package io.github.snowmint.jackson;

import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.PublicIds;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/** Tells Jackson 3 which members it reads and writes as public IDs. */
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

  /** Returns the public IDs of a member, or of the elements that it contains. */
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

  /** Returns a type as Java source writes it. The canonical name of an array is the JVM's. */
  private static String written(JavaType type) {
    return type.isArrayType() ? written(type.getContentType()) + "[]" : type.toCanonical();
  }

  /** Returns the type of a member's value. For a setter it is the type of its parameter. */
  private static JavaType valueOf(Annotated member) {
    boolean sets = member instanceof AnnotatedMethod method && method.getParameterCount() == 1;
    return sets ? ((AnnotatedMethod) member).getParameterType(0) : member.getType();
  }

  private static boolean isId(JavaType type) {
    return type.hasRawClass(long.class) || type.hasRawClass(Long.class);
  }
}
