package io.github.snowmint.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at a start that failed how one of several sources is named. */
final class UnclearSourceAnalyzer extends AbstractFailureAnalyzer<UnclearSourceException> {
  /** As Spring makes it. */
  UnclearSourceAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable root, UnclearSourceException cause) {
    return new FailureAnalysis(
        cause.getMessage() + ".",
        "Mark the bean of one with @Primary; or make beans of your own: a SnowmintInterceptor and,"
            + " for MyBatis-Plus, SnowmintIdentifiers, which can give each entity a source.",
        cause);
  }
}
