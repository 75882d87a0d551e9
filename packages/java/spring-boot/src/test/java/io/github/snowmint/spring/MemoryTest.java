package io.github.snowmint.spring;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.snowmint.IdSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** A store in memory, for tests of an application. */
class MemoryTest {
  private static AnnotationConfigApplicationContext start() {
    Map<String, Object> properties = Map.of("snowmint.url", "snowflake+memory:shop-tests");
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("given", properties));
    context.register(SnowmintAutoConfiguration.class);
    context.refresh();
    return context;
  }

  @Test
  void theContextsOfTestsShareIt() {
    try (AnnotationConfigApplicationContext first = start();
        AnnotationConfigApplicationContext second = start()) {
      assertNotEquals(
          first.getBean(IdSource.class).nextId(), second.getBean(IdSource.class).nextId());
    }
  }
}
