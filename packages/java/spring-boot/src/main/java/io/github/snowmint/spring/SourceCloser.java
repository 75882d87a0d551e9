package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.SnowmintException;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;

/**
 * Closes each source when its bean ends, with the application or after a failed start, and releases
 * the worker ID. A bean that the source needs, such as a {@code DataSource}, ends after it. A bean
 * that needs the source ends before it.
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
        closeWithin = properties.getObject().closeWithin(); // At the end Spring creates no beans.
      } catch (RuntimeException wrong) {
        source.close(); // Spring does not destroy it, as it is not yet a bean.
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
        // The context still closes, and a lease that is not released expires.
        LOG.log(System.Logger.Level.WARNING, "the source " + name + " did not close", failure);
      }
    }
  }
}
