package io.github.snowmint.spring;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains at a start that failed for an unknown property which properties exist. */
@Order(0) // Before Spring Boot's own, which does not list them.
final class UnknownPropertyAnalyzer
    extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {
  private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("snowmint");

  /** Creates the analyzer, for Spring to call. */
  UnknownPropertyAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(
      Throwable root, UnboundConfigurationPropertiesException cause) {
    List<String> unknown =
        cause.getUnboundProperties().stream()
            .filter(property -> PREFIX.isAncestorOf(property.getName()))
            .map(property -> property.getName() + " (" + property.getOrigin() + ")")
            .toList();
    if (unknown.isEmpty()) {
      return null;
    }
    return new FailureAnalysis(
        "snowmint has no such property: " + String.join(", ", unknown) + ".",
        "Correct its name, or leave it out. There are " + known() + ".",
        cause);
  }

  private static String known() {
    return Arrays.stream(SnowmintProperties.class.getRecordComponents())
        .map(part -> PREFIX + "." + DataObjectPropertyName.toDashedForm(part.getName()))
        .collect(Collectors.joining(", "));
  }
}
