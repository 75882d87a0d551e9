package io.github.snowmint.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The descriptions of the properties for editors. */
class PropertiesTest {
  private static Map<String, JsonNode> described() throws Exception {
    String file = "/META-INF/spring-configuration-metadata.json";
    try (InputStream json = SnowmintProperties.class.getResourceAsStream(file)) {
      Map<String, JsonNode> properties = new TreeMap<>();
      new ObjectMapper()
          .readTree(json)
          .get("properties")
          .forEach(property -> properties.put(property.get("name").asText(), property));
      return properties;
    }
  }

  private static String name(RecordComponent component) {
    String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    return "snowmint." + name;
  }

  @Test
  void eachIsDescribed() throws Exception {
    Map<String, JsonNode> described = described();
    Set<String> names =
        Arrays.stream(SnowmintProperties.class.getRecordComponents())
            .map(PropertiesTest::name)
            .collect(Collectors.toSet());
    assertEquals(names, described.keySet());
    described.forEach(
        (name, property) -> {
          String says = property.path("description").asText();
          assertTrue(says.endsWith(".") && says.length() > 20, name + ": " + says);
        });
    assertEquals("embedded", described.get("snowmint.create-tables").get("defaultValue").asText());
  }
}
