package io.github.snowmint.jackson;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.testing.Readme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of README.md, run. */
class ReadmeTest {
  private static final String EXAMPLE =
      """
      import com.fasterxml.jackson.databind.ObjectMapper;
      import io.github.snowmint.PublicIdKeys;
      import io.github.snowmint.jackson.*;
      import tools.jackson.databind.json.JsonMapper;

      public class Example {
        %s
        public static void main(String[] arguments) throws Exception {
          %s
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void itsLinesRun() throws Exception {
    List<String> java = Readme.blocks("java");
    assertPublic(java.get(0), java.get(1));
  }

  @Test
  void itsMapperOfJackson3Does() throws Exception {
    List<String> java = Readme.blocks("java");
    String other = java.get(2).strip();
    assertPublic(java.get(0), java.get(1).replaceAll("(?m)^ObjectMapper mapper.*$", other));
  }

  private void assertPublic(String order, String lines) throws Exception {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path keys = Files.createFile(directory.resolve("keys.toml"), mode);
    Files.writeString(keys, PublicIdKeys.generate().toToml());
    // A process cannot set its own environment.
    String own = lines.replace("\"env:\"", "\"" + keys + "\"");
    String said = Readme.run(EXAMPLE.formatted(order, own), directory);
    String token = "_1[0-9a-hjkmnp-tv-z]{26}";
    String json = "\\{\"id\":\"order" + token + "\",\"buyer\":\"user" + token + "\",\"item\":\"tea\"}";
    assertTrue(said.matches(json + "\\R1541815603606036480\\R"), said);
  }
}
