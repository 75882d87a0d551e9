package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.SnowmintException;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;

/**
 * Closes each source as its bean ends, with the application or with a start that failed, and has
 * the worker ID given back. What a source needs, a {@code DataSource} above all, was there before it
 * and ends after it; what needs the source, before it.
 */
final class SourceCloser implements DestructionAwareBeanPostProcessor {
  private static final System.Logger LOG = System.getLogger("io.github.snowmint.spring");

  private final ObjectProvider<SnowmintProperties> properties;
  private volatile Duration closeWithin = Duration.ZERO;

  SourceCloser(ObjectProvider<SnowmintProperties> properties) {
    this.properties = properties;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof IdSource source) {
      try {
        closeWithin = properties.getObject().closeWithin(); // At the end no bean is made any more.
      } catch (RuntimeException wrong) {
        source.close(); // It is no bean yet, which would end.
        throw wrong;
      }
    }
    return bean;
  }

  @Override
  public boolean requiresDestruction(Object bean) {
    return bean instanceof IdSource;
  }

  @Override
  public void postProcessBeforeDestruction(Object bean, String name) {
    if (bean instanceof IdSource source) {
      try {
        source.close(closeWithin);
      } catch (SnowmintException failure) {
        // The context goes on closing; what is not given back ends by itself.
        LOG.log(System.Logger.Level.WARNING, "the source " + name + " did not close", failure);
      }
    }
  }
}
