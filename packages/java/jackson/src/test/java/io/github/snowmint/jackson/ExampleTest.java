package io.github.snowmint.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.testing.Example;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the documentation, with a file of keys. */
class ExampleTest {
  @TempDir Path directory;

  @Test
  void itRuns() throws Exception {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path keys = Files.createFile(directory.resolve("keys.toml"), mode);
    Files.writeString(keys, PublicIdKeys.generate().toToml());
    String source = Example.read("Shop.java").replace("keys.toml", keys.toString());
    String said = Example.run(source, directory);
    String token = "_1[0-9a-hjkmnp-tv-z]{26}";
    String json =
        "\\{\"id\":\"order" + token + "\",\"buyer\":\"user" + token + "\",\"item\":\"tea\"}";
    assertTrue(said.matches(json + "\\R1541815603606036480\\Rtrue\\R"), said);
  }

  @Test
  void rawIdsAreStrings() throws Exception {
    String json = "{\"id\":\"1541815603606036480\",\"items\":[\"7\",\"8\"],\"count\":2}";
    String program = Example.read("RawIds.java").replace("class RawIds", "class Shop");
    assertEquals(
        List.of(json, "1541815603606036480", "true", "true", "true", "true", "true", "true", "true"),
        Example.run(program, directory).lines().toList());
  }
}
