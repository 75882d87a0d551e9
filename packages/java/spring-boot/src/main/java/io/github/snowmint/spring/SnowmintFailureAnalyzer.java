package io.github.snowmint.spring;

import io.github.snowmint.SnowmintException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at a start that failed what was wrong with a source, and what would be right. */
final class SnowmintFailureAnalyzer extends AbstractFailureAnalyzer<SnowmintException> {
  /** As Spring makes it. */
  SnowmintFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable root, SnowmintException cause) {
    String description =
        "snowmint could not open its source: " + cause.code().label() + ": " + cause.getMessage();
    return new FailureAnalysis(description, action(cause), cause);
  }

  private static String action(SnowmintException cause) {
    return switch (cause.code()) {
      case STORE_MISSING, STORE_SCHEMA ->
          "Set snowmint.create-tables=always to create the tables where they are not there, or"
              + " create them by your migrations. Tables of their own are a key space of their own:"
              + " check first that this is the right database.";
      case STORE_DENIED ->
          "Grant the user of spring.datasource.username what the description names, or name a"
              + " DataSource of another user by snowmint.data-source.";
      case STORE_UNAVAILABLE, STORE_LOCKED, WAIT_TIMEOUT ->
          "Check that the database of spring.datasource.url answers, or start again once it does.";
      case WORKERS_EXHAUSTED ->
          "End instances that are not needed, wait as long as the description says, or set"
              + " snowmint.layout to one with more worker bits.";
      case UNKNOWN_LAYOUT, INVALID_LAYOUT ->
          "Set snowmint.layout to a preset's name, such as twitter, or to fields from the top bit"
              + " down, such as time:41,worker:10,sequence:12.";
      case UNKNOWN_SCHEME, INVALID_URL, UNKNOWN_PARAMETER ->
          "Correct snowmint.url, such as snowflake:?worker=env or"
              + " snowflake+sqlite:ids.db?create=true.";
      default -> "Correct the property snowmint.* that the description is about.";
    };
  }
}
