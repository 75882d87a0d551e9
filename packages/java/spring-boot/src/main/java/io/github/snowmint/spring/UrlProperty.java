package io.github.snowmint.spring;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * The property {@code snowmint.url}. An empty value counts as not set, for example from a
 * placeholder whose variable does not exist.
 */
final class UrlProperty {
  static final String NAME = "snowmint.url";

  private UrlProperty() {}

  static boolean isSet(Environment environment) {
    return StringUtils.hasText(environment.getProperty(NAME));
  }

  private abstract static class Condition extends SpringBootCondition {
    private final boolean wanted;

    Condition(boolean wanted) {
      this.wanted = wanted;
    }

    @Override
    public final ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      boolean isSet = isSet(context.getEnvironment());
      return new ConditionOutcome(isSet == wanted, NAME + (isSet ? " is set" : " is not set"));
    }
  }

  /** Matches if the property is set. */
  static final class Given extends Condition {
    Given() {
      super(true);
    }
  }

  /** Matches if the property is not set. */
  static final class Absent extends Condition {
    Absent() {
      super(false);
    }
  }
}
