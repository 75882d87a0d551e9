package io.github.snowmint.hibernate;

import io.github.snowmint.IdSource;
import io.github.snowmint.Layout;
import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.Step;
import io.github.snowmint.jdbc.JdbcStore;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.function.Supplier;
import org.hibernate.service.ServiceRegistry;

/**
 * The source of identifiers.
 *
 * @param key a key that is the same for attributes that share a source
 * @param opener opens the source
 */
record Origin(Object key, Supplier<IdSource> opener) {
  /** Leaves out the key, because a URL may contain a password. */
  @Override
  public String toString() {
    return "Origin";
  }

  IdSource open() {
    return opener.get();
  }

  static Origin of(Annotation annotation, ServiceRegistry registry) {
    if (annotation instanceof SnowmintId id) {
      String url = Placeholders.resolve(id.url(), registry);
      return new Origin(List.of("url", url), () -> IdSource.open(url));
    }
    return annotation instanceof SnowmintSnowflake snowflake
        ? ofSnowflake(snowflake, registry)
        : ofSegment((SnowmintSegment) annotation, registry);
  }

  private static Origin ofSnowflake(SnowmintSnowflake annotation, ServiceRegistry registry) {
    String text = Placeholders.resolve(annotation.layout(), registry);
    Layout layout = Layout.of(text);
    boolean create = annotation.create();
    return new Origin(
        List.of("snowflake", registry, text, create),
        () -> opened(create, () -> openSnowflake(store(registry, create), layout)));
  }

  private static Snowflake openSnowflake(JdbcStore store, Layout layout) {
    return Snowflake.builder().leaseFrom(store).layout(layout).open();
  }

  private static Origin ofSegment(SnowmintSegment annotation, ServiceRegistry registry) {
    String tag = Placeholders.resolve(annotation.tag(), registry);
    boolean create = annotation.create();
    Step step = annotation.step() == 0 ? null : Step.fixed(annotation.step());
    return new Origin(
        List.of("segment", registry, tag, annotation.step(), create),
        () -> opened(create, () -> openSegment(store(registry, create), tag, step, create)));
  }

  private static Segment openSegment(JdbcStore store, String tag, Step step, boolean create) {
    if (create) {
      store.ensureTag(tag);
    }
    Segment.Builder builder = Segment.builder(store, tag);
    return (step == null ? builder : builder.step(step)).open();
  }

  private static JdbcStore store(ServiceRegistry registry, boolean create) {
    JdbcStore store = new JdbcStore(new SessionDatabase(registry));
    if (create) {
      store.createTables();
    }
    return store;
  }

  private static IdSource opened(boolean create, Supplier<IdSource> opener) {
    try {
      return opener.get();
    } catch (SnowmintException failure) {
      boolean missing =
          switch (failure.code()) {
            case STORE_MISSING, STORE_SCHEMA, UNKNOWN_TAG -> true;
            default -> false;
          };
      throw missing && !create
          ? new SnowmintException(
              failure.code(),
              failure.getMessage() + "; or set create = true in the annotation",
              failure)
          : failure;
    }
  }
}
