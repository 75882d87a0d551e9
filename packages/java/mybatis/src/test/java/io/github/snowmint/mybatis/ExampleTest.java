package io.github.snowmint.mybatis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.snowmint.testing.Example;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the documentation. */
class ExampleTest {
  @TempDir Path directory;

  @Test
  void itRuns() throws Exception {
    String said = Example.run(Example.read("Shop.java"), directory);
    assertEquals("customer 1, ticket 2", said.strip().lines().reduce((a, b) -> b).orElseThrow());
  }
}
