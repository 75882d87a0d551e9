package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.snowmint.spring.SnowmintProperties;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

/** The settings, in both formats. */
class SettingsTest {
  private static PropertySource<?> load(PropertySourceLoader loader, String file)
      throws IOException {
    return loader.load(file, new ClassPathResource(file)).get(0);
  }

  private static Map<String, String> texts(PropertySource<?> source) {
    Map<String, String> texts = new TreeMap<>();
    for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
      texts.put(name, String.valueOf(source.getProperty(name)));
    }
    return texts;
  }

  @Test
  void bothFormatsSayTheSame() throws IOException {
    PropertySource<?> lines = load(new PropertiesPropertySourceLoader(), "production.properties");
    PropertySource<?> tree = load(new YamlPropertySourceLoader(), "production.yml");
    assertEquals(texts(lines), texts(tree));
    SnowmintProperties bound =
        new Binder(ConfigurationPropertySources.from(tree))
            .bind("snowmint", SnowmintProperties.class)
            .get();
    assertEquals("00112233445566778899aabbccddeeff", bound.keySpace());
    assertEquals(SnowmintProperties.CreateTables.NEVER, bound.createTables());
  }

  @Test
  void onOnesOwnMachineTablesAreCreated() throws IOException {
    String name = "snowmint.create-tables";
    PropertySource<?> lines = load(new PropertiesPropertySourceLoader(), "application.properties");
    PropertySource<?> tree = load(new YamlPropertySourceLoader(), "development.yml");
    assertEquals("always", String.valueOf(lines.getProperty(name)));
    assertEquals("always", String.valueOf(tree.getProperty(name)));
  }
}
