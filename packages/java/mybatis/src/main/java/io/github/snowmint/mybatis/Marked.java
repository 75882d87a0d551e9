package io.github.snowmint.mybatis;

import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TextForm;
import io.github.snowmint.UuidSource;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.List;

/** A field that the interceptor fills. */
record Marked(Field field, TextForm form) {
  private static final ClassValue<List<Marked>> KNOWN =
      new ClassValue<>() {
        @Override
        protected List<Marked> computeValue(Class<?> type) {
          return find(type);
        }
      };

  /** Returns the marked fields of a class and of its superclasses. */
  static List<Marked> of(Class<?> type) {
    return KNOWN.get(type);
  }

  private static List<Marked> find(Class<?> type) {
    List<Marked> found = new ArrayList<>();
    for (Class<?> part = type; part != null; part = part.getSuperclass()) {
      for (Field field : part.getDeclaredFields()) {
        SnowmintId mark = field.getAnnotation(SnowmintId.class);
        if (mark != null) {
          found.add(checked(field, mark.form()));
        }
      }
    }
    return List.copyOf(found);
  }

  private static Marked checked(Field field, TextForm form) {
    Class<?> type = field.getType();
    String name = name(field);
    if (type != long.class && type != Long.class && type != String.class) {
      throw invalid(name + " is of type " + type.getSimpleName() + ": make it long, Long or String");
    }
    if (form != TextForm.DECIMAL && type != String.class) {
      throw invalid(name + " is of type " + type.getSimpleName() + ": only a String has a form");
    }
    if (field.getDeclaringClass().isRecord()) {
      throw invalid(name + " is of a record, which cannot be filled: make it a class");
    }
    try {
      field.setAccessible(true);
    } catch (InaccessibleObjectException closed) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER, name + " cannot be set: open its package to all", closed);
    }
    return new Marked(field, form);
  }

  private static String name(Field field) {
    return field.getDeclaringClass().getSimpleName() + "." + field.getName();
  }

  /** Returns the value. Fails if it is null. */
  static <T> T given(T value, String name) {
    if (value == null) {
      throw invalid(name + " is null");
    }
    return value;
  }

  private static SnowmintException invalid(String message) {
    return new SnowmintException(Code.INVALID_PARAMETER, message);
  }

  /** Sets the field to a new ID, unless it has a value. */
  void fill(Object owner, IdSource source) {
    try {
      Object present = field.get(owner);
      if (present == null || present instanceof Long number && number == 0) {
        long id = next(source);
        if (field.getType() == String.class) {
          field.set(owner, form.format(id));
        } else {
          field.set(owner, id);
        }
      }
    } catch (IllegalAccessException impossible) {
      throw new SnowmintException(Code.INTERNAL, "a field that was opened is closed", impossible);
    }
  }

  private long next(IdSource source) {
    if (source instanceof UuidSource) {
      throw new SnowmintException(
          Code.UNSUPPORTED,
          name(field) + " holds 64 bits, and a UUID has 128: give a source of 64-bit IDs");
    }
    return source.nextId();
  }
}
