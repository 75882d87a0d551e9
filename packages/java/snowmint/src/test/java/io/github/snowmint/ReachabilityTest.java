package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The metadata for GraalVM's native-image: all that the native side looks up or reads. */
class ReachabilityTest {
  private static final String FOLDER = "/META-INF/native-image/io.github.snowmint/snowmint/";
  private static final List<String> CALLED =
      List.of("io.github.snowmint.internal.Callbacks", "io.github.snowmint.jdbc.Transaction");
  private static final Pattern LOOKED_UP = Pattern.compile("jni_str!\\(\"([A-Za-z]+)\"\\)");

  private static JsonNode file(String name) throws Exception {
    try (InputStream json = Snowmint.class.getResourceAsStream(FOLDER + name)) {
      return new ObjectMapper().readTree(json);
    }
  }

  private static Set<String> methods(JsonNode entries, String key) {
    Set<String> methods = new TreeSet<>();
    for (JsonNode entry : entries) {
      if (CALLED.contains(entry.get(key).asText())) {
        for (JsonNode method : entry.get("methods")) {
          List<String> parameters = new ArrayList<>();
          method.get("parameterTypes").forEach(type -> parameters.add(type.asText()));
          methods.add(method.get("name").asText() + parameters);
        }
      }
    }
    return methods;
  }

  private static Set<String> calledByTheNativeSide() throws Exception {
    Path sources = Path.of(System.getProperty("vectors"), "../../bindings/java/src");
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.toList()) {
        LOOKED_UP.matcher(Files.readString(file)).results().forEach(at -> names.add(at.group(1)));
      }
    }
    return names;
  }

  @Test
  void eachMethodThatIsLookedUpIsNamed() throws Exception {
    Set<String> called = calledByTheNativeSide();
    assertTrue(called.size() >= 10, called::toString);
    Set<String> declared = new TreeSet<>();
    for (String type : CALLED) {
      for (Method method : Class.forName(type).getDeclaredMethods()) {
        if (called.contains(method.getName()) && !Modifier.isPrivate(method.getModifiers())) {
          List<String> parameters =
              Arrays.stream(method.getParameterTypes()).map(Class::getTypeName).toList();
          declared.add(method.getName() + parameters);
        }
      }
    }
    assertEquals(called.size(), declared.size());
    assertEquals(declared, methods(file("reachability-metadata.json").get("reflection"), "type"));
    assertEquals(declared, methods(file("jni-config.json"), "name"));
  }

  @Test
  void eachResourceIsNamed() throws Exception {
    List<String> folders = new ArrayList<>();
    file("reachability-metadata.json")
        .get("resources")
        .forEach(entry -> folders.add(entry.get("glob").asText().replace("**", "")));
    String jar = Snowmint.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    try (JarFile packed = new JarFile(jar)) {
      List<String> resources =
          packed.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.startsWith("io/") && !name.endsWith("/"))
              .filter(name -> !name.endsWith(".class"))
              .toList();
      assertFalse(resources.isEmpty());
      for (String resource : resources) {
        assertTrue(folders.stream().anyMatch(resource::startsWith), resource);
      }
    }
  }
}
