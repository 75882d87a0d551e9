package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.SegmentStore;
import io.github.snowmint.WorkerStore;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Explains at a failed start which property leaves out a bean of the starter. */
@Order(0) // Before Spring Boot's own, which knows nothing of the properties.
final class MissingBeanAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {
  private final Environment environment;

  /** Creates the analyzer, for Spring to call. */
  MissingBeanAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected FailureAnalysis analyze(Throwable root, NoSuchBeanDefinitionException cause) {
    Class<?> type = cause.getResolvableType() == null ? null : cause.getResolvableType().resolve();
    if (type == null || !isOurs(type) || cause instanceof NoUniqueBeanDefinitionException) {
      return null;
    }
    String name = type.getSimpleName();
    if (!environment.getProperty("snowmint.enabled", Boolean.class, true)) {
      return new FailureAnalysis(
          "There is no bean " + name + ": snowmint.enabled=false leaves out those of the starter.",
          "Leave out snowmint.enabled, or make a bean " + name + " of your own.",
          cause);
    }
    if (!UrlProperty.isSet(environment) || type == IdSource.class) {
      return null;
    }
    return new FailureAnalysis(
        "There is no bean "
            + name
            + ": with snowmint.url the starter's only bean is the IdSource of that URL.",
        "Have IdSource injected in its place; or leave out snowmint.url, for a Snowflake and a"
            + " JdbcStore on the application's DataSource; or make a bean "
            + name
            + " of your own.",
        cause);
  }

  private static boolean isOurs(Class<?> type) {
    return IdSource.class.isAssignableFrom(type)
        || WorkerStore.class.isAssignableFrom(type)
        || SegmentStore.class.isAssignableFrom(type);
  }
}
