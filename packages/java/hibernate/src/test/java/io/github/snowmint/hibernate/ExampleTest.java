package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.testing.DatabaseServer;
import io.github.snowmint.testing.Example;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the documentation, on a database and with a file of keys. */
class ExampleTest {
  @TempDir Path directory;

  @Test
  void itRuns() throws Exception {
    Sessions.quiet();
    try (DatabaseServer server = DatabaseServer.postgres()) {
      var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      Path keys = Files.createFile(directory.resolve("keys.toml"), mode);
      Files.writeString(keys, PublicIdKeys.generate().toToml());
      String source =
          Example.read("Shop.java")
              .replace("keys.toml", keys.toString())
              .replace("jdbc:postgresql://localhost/shop", server.url("postgres"));
      String said = Example.run(source, directory);
      assertTrue(
          said.matches(
              "customer \\d+, receipt 1\\Rticket [0-9A-HJKMNP-TV-Z]{13}\\Rorder 1\\R"),
          said);
    }
  }
}
