package io.github.snowmint.hibernate;

import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.Layout;
import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.Step;
import io.github.snowmint.internal.sharing.SharedSource;
import io.github.snowmint.jdbc.JdbcStore;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.service.ServiceRegistry;

/**
 * The origin of an attribute's identifiers.
 *
 * @param attribute the class and the attribute, for messages
 * @param registry the services of the {@code SessionFactory}
 * @param application the sources that the application shares
 */
record Origin(
    String attribute, ServiceRegistry registry, Optional<ApplicationSources> application) {
  /** An open source, and what its user calls in the end. */
  record Opened(IdSource source, Runnable leaving) {}

  static Origin of(String attribute, ServiceRegistry registry) {
    Object setting =
        registry
            .requireService(ConfigurationService.class)
            .getSettings()
            .get(ApplicationSources.SETTING);
    Optional<ApplicationSources> application =
        setting instanceof ApplicationSources sources ? Optional.of(sources) : Optional.empty();
    return new Origin(attribute, registry, application);
  }

  /** Checks an annotation, and returns what opens its source. */
  Supplier<Opened> opener(Annotation annotation) {
    if (annotation instanceof SnowmintId id) {
      String url = Placeholders.resolve(id.url(), registry);
      return () -> shared(List.of("url", url), () -> IdSource.open(url));
    }
    return annotation instanceof SnowmintSnowflake snowflake
        ? ofSnowflake(snowflake)
        : ofSegment((SnowmintSegment) annotation);
  }

  private Supplier<Opened> ofSnowflake(SnowmintSnowflake annotation) {
    String text = Placeholders.resolve(annotation.layout(), registry);
    Optional<Layout> layout = text.isEmpty() ? Optional.empty() : Optional.of(Layout.of(text));
    return () ->
        application
            .flatMap(ApplicationSources::snowflake)
            .map(flake -> ofApplication(flake, layout))
            .orElseGet(() -> ofDatabase(layout.orElse(Layout.TWITTER), annotation.create()));
  }

  private static Opened ofApplication(Snowflake flake, Optional<Layout> layout) {
    if (layout.isPresent() && !layout.get().equals(flake.layout())) {
      throw new SnowmintException(
          Code.REALM_MISMATCH,
          "the application's source has the layout "
              + flake.layout()
              + ": leave out layout in the annotation, or give it this one");
    }
    return new Opened(flake, () -> {});
  }

  private Opened ofDatabase(Layout layout, boolean created) {
    boolean create = created || creates();
    return shared(
        List.of("snowflake", registry, layout, create),
        () ->
            advised(
                create,
                () ->
                    Snowflake.builder()
                        .leaseFrom(withTables(ownStore(), create))
                        .layout(layout)
                        .open()));
  }

  private Supplier<Opened> ofSegment(SnowmintSegment annotation) {
    String tag = Placeholders.resolve(annotation.tag(), registry);
    Step step = annotation.step() == 0 ? null : Step.fixed(annotation.step());
    return () -> {
      Optional<JdbcStore> given = application.flatMap(ApplicationSources::store);
      boolean create = annotation.create() || creates();
      Object place = given.isPresent() ? given.get() : registry;
      return shared(
          List.of("segment", place, tag, annotation.step(), create),
          () ->
              advised(
                  create, () -> openSegment(given.orElseGet(this::ownStore), tag, step, create)));
    };
  }

  private static Segment openSegment(JdbcStore store, String tag, Step step, boolean create) {
    if (create) {
      withTables(store, create).ensureTag(tag);
    }
    Segment.Builder builder = Segment.builder(store, tag);
    return (step == null ? builder : builder.step(step)).open();
  }

  private JdbcStore ownStore() {
    return new JdbcStore(new SessionDatabase(registry));
  }

  private static JdbcStore withTables(JdbcStore store, boolean create) {
    if (create) {
      store.createTables();
    }
    return store;
  }

  private boolean creates() {
    return application.map(ApplicationSources::create).orElse(false);
  }

  /** Opens a source that attributes with the same key share. */
  private Opened shared(Object key, Supplier<IdSource> opener) {
    SharedSource shared = SharedSource.of(key, opener);
    application.ifPresent(sources -> sources.opened(attribute, shared.source()));
    return new Opened(shared.source(), shared::leave);
  }

  private IdSource advised(boolean create, Supplier<IdSource> opener) {
    try {
      return opener.get();
    } catch (SnowmintException failure) {
      boolean missing =
          switch (failure.code()) {
            case STORE_MISSING, STORE_SCHEMA, UNKNOWN_TAG -> true;
            default -> false;
          };
      if (!missing || create) {
        throw failure;
      }
      String advice =
          application.map(ApplicationSources::advice).orElse("set create = true in the annotation");
      throw new SnowmintException(
          failure.code(), failure.getMessage() + "; or " + advice, failure);
    }
  }
}
