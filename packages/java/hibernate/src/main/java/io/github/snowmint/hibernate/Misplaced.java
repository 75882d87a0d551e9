package io.github.snowmint.hibernate;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import jakarta.persistence.Id;
import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;

/**
 * Refuses the annotations on attributes that are not identifiers. Hibernate ignores them there and
 * inserts the attribute as it is.
 */
final class Misplaced {
  private Misplaced() {}

  static void check(Metadata metadata) {
    for (PersistentClass entity : metadata.getEntityBindings()) {
      if (entity.hasPojoRepresentation()) {
        Set<String> others =
            entity.getPropertyClosure().stream().map(Property::getName).collect(Collectors.toSet());
        for (Class<?> of = entity.getMappedClass(); of != null; of = of.getSuperclass()) {
          Stream.of(of.getDeclaredFields(), of.getDeclaredMethods())
              .flatMap(Arrays::stream)
              .filter(member -> others.contains(attribute(member)))
              .forEach(Misplaced::check);
        }
      }
    }
  }

  private static String attribute(Member member) {
    String name = member.getName();
    return member instanceof Field
        ? name
        : Introspector.decapitalize(name.replaceFirst("^(get|is)", ""));
  }

  private static <T extends Member & AnnotatedElement> void check(T member) {
    Optional<Annotation> ours =
        Arrays.stream(member.getAnnotations()).filter(Misplaced::isOurs).findFirst();
    if (ours.isPresent() && !member.isAnnotationPresent(Id.class)) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          member.getDeclaringClass().getSimpleName()
              + "."
              + attribute(member)
              + ": @"
              + ours.get().annotationType().getSimpleName()
              + " is of an @Id, and does nothing for another attribute: make it the @Id, or set it"
              + " from a source of your own before the entity is persisted");
    }
  }

  private static boolean isOurs(Annotation annotation) {
    IdGeneratorType type = annotation.annotationType().getAnnotation(IdGeneratorType.class);
    return type != null && type.value() == SnowmintGenerator.class;
  }
}
