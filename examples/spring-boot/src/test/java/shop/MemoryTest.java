package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.IdSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Configuration;

/** A part of the application that needs IDs and no database. */
// --8<-- [start:memory]
@SpringBootTest(
    classes = MemoryTest.Part.class,
    webEnvironment = WebEnvironment.NONE,
    properties = {
      "spring.config.name=part", // instead of application.properties
      "snowmint.url=snowflake+memory:shop-tests"
    })
class MemoryTest {
  @Configuration
  @EnableAutoConfiguration
  static class Part {}

  @Test
  void itHasIds(@Autowired IdSource source) {
    assertTrue(source.nextId() < source.nextId());
  }
}
// --8<-- [end:memory]
