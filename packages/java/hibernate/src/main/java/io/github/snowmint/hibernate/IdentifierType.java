package io.github.snowmint.hibernate;

import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TextForm;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.service.ServiceRegistry;

/** The type of an attribute that holds an identifier, and the call that mints a value of it. */
record IdentifierType(Function<IdSource, Object> minting) {
  Object next(IdSource source) {
    return minting.apply(source);
  }

  /** Returns true if an attribute has an identifier already. A {@code long} without one is 0. */
  static boolean isSet(Object value) {
    return value != null && !Long.valueOf(0).equals(value);
  }

  /** Returns the identifier type of an annotated field or getter. */
  static IdentifierType of(Annotation annotation, Member member, ServiceRegistry registry) {
    Class<?> type =
        member instanceof Field field ? field.getType() : ((Method) member).getReturnType();
    TextForm form = form(annotation);
    if (form != TextForm.DECIMAL && type != String.class) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          "it is of type " + type.getSimpleName() + ": only a String has a form");
    }
    boolean uuids =
        annotation instanceof SnowmintId id
            && Placeholders.resolve(id.url(), registry).startsWith("uuid:");
    if (uuids) {
      return ofUuids(type, form);
    }
    if (type == long.class || type == Long.class) {
      return new IdentifierType(IdSource::nextId);
    }
    if (type == String.class) {
      return new IdentifierType(source -> form.format(source.nextId()));
    }
    throw unsuitable(type, "long, Long or String for 64-bit identifiers");
  }

  private static IdentifierType ofUuids(Class<?> type, TextForm form) {
    if (form != TextForm.DECIMAL) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER, "it is a UUID, which has no form: leave it out");
    }
    if (type == UUID.class) {
      return new IdentifierType(IdSource::nextUuid);
    }
    if (type == String.class) {
      return new IdentifierType(source -> source.nextUuid().toString());
    }
    throw unsuitable(type, "UUID or String for UUIDs");
  }

  private static TextForm form(Annotation annotation) {
    if (annotation instanceof SnowmintId id) {
      return id.form();
    }
    return annotation instanceof SnowmintSnowflake snowflake
        ? snowflake.form()
        : ((SnowmintSegment) annotation).form();
  }

  private static SnowmintException unsuitable(Class<?> type, String right) {
    return new SnowmintException(
        Code.INVALID_PARAMETER, "it is of type " + type.getSimpleName() + ": make it " + right);
  }
}
