package plain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.snowmint.Snowflake;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that has the starter, and none of the libraries that its modules are for. */
class PlainTest {
  private static final Pattern LIBRARIES =
      Pattern.compile(
          "hibernate|jpa|spring-orm|persistence|jackson|mybatis|web|tomcat|flyway|actuator|health"
              + "|micrometer");

  @EnableAutoConfiguration
  static class Plain {
    public static void main(String[] arguments) {
      try (ConfigurableApplicationContext plain =
          SpringApplication.run(
              Plain.class,
              "--spring.main.banner-mode=off",
              "--logging.level.root=error",
              "--spring.datasource.url=jdbc:h2:mem:plain;DB_CLOSE_DELAY=-1")) {
        System.out.println(plain.getBean(Snowflake.class).nextId() > 0 ? "minted" : "nothing");
      }
    }
  }

  private static boolean isNeeded(String entry) {
    String name = Path.of(entry).getFileName().toString();
    boolean isOurs = name.startsWith("snowmint-") && !name.startsWith("snowmint-mybatis");
    return isOurs || !LIBRARIES.matcher(name).find();
  }

  @Test
  void itMintsWithoutThem() throws Exception {
    String classes =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(PlainTest::isNeeded)
            .collect(Collectors.joining(File.pathSeparator));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process plain =
        new ProcessBuilder(java, "-cp", classes, Plain.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(plain.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("minted", said.strip());
  }
}
