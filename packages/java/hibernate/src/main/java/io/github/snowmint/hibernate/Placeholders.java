package io.github.snowmint.hibernate;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.service.ServiceRegistry;

/**
 * Placeholders {@code ${name}} and {@code ${name:default}} in annotations, whose texts are
 * constants.
 */
final class Placeholders {
  private static final Pattern PLACE = Pattern.compile("\\$\\{([^}:]*)(?::([^}]*))?\\}");

  private Placeholders() {}

  /**
   * Replaces each placeholder by its value. It looks in Hibernate's settings first, then in the
   * system properties, then in the environment.
   */
  static String resolve(String text, ServiceRegistry registry) {
    Map<String, Object> settings =
        registry.requireService(ConfigurationService.class).getSettings();
    return PLACE
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(value(found.group(1), found.group(2), settings)));
  }

  private static String value(String name, String usual, Map<String, Object> settings) {
    Object value = settings.get(name);
    if (value == null && !name.isEmpty()) {
      value = System.getProperty(name, System.getenv(name));
    }
    if (value == null) {
      value = usual;
    }
    if (value == null) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          "nothing says what ${"
              + name
              + "} is: set "
              + name
              + " among Hibernate's settings (for Spring Boot spring.jpa.properties."
              + name
              + "), as a system property or as an environment variable, or give a default:"
              + " ${"
              + name
              + ":…}");
    }
    return value.toString();
  }
}
