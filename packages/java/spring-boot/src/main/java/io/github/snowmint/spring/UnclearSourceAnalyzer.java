package io.github.snowmint.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains at a failed start how to name one of several sources. */
final class UnclearSourceAnalyzer extends AbstractFailureAnalyzer<UnclearSourceException> {
  /** Creates the analyzer, for Spring to call. */
  UnclearSourceAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable root, UnclearSourceException cause) {
    return new FailureAnalysis(
        cause.getMessage() + ".",
        "Mark the bean of one with @Primary. For MyBatis you can also make beans of your own: a"
            + " SnowmintInterceptor and, for MyBatis-Plus, SnowmintIdentifiers, which can give each"
            + " entity a source.",
        cause);
  }
}
