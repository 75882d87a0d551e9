package io.github.snowmint.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.github.snowmint.IdSource;
import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.Store;
import io.github.snowmint.jackson.PublicIdJacksonModule;
import io.github.snowmint.jackson.PublicIdModule;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.mybatis.SnowmintInterceptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The beans that the starter makes of those that are there. */
class BeansTest {
  private static Snowflake flake() {
    return Snowflake.builder().leaseFrom(Store.memory()).open();
  }

  private static Segment invoices() {
    Store store = Store.memory();
    store.ensureTag("invoices");
    return Segment.builder(store, "invoices").open();
  }

  private static AnnotationConfigApplicationContext start(
      Class<?> beans, Consumer<AnnotationConfigApplicationContext> present) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    present.accept(context);
    context.register(beans);
    context.refresh();
    return context;
  }

  private static void makePrimary(BeanDefinition definition) {
    definition.setPrimary(true);
  }

  private static long key(Consumer<AnnotationConfigApplicationContext> present) {
    try (AnnotationConfigApplicationContext context = start(MybatisBeans.class, present)) {
      assertNotNull(context.getBean(SnowmintInterceptor.class));
      return context.getBean(IdentifierGenerator.class).nextId(new Object()).longValue();
    }
  }

  @Test
  void ofSeveralSourcesMybatisTakesTheOneThatStandsOut() {
    assertEquals(1, key(only -> only.registerBean("invoices", Segment.class, BeansTest::invoices)));
    long ofFlake =
        key(
            both -> {
              both.registerBean("snowflake", Snowflake.class, BeansTest::flake);
              both.registerBean("invoices", Segment.class, BeansTest::invoices);
            });
    assertTrue(ofFlake > 1_000_000, () -> "no snowflake: " + ofFlake);
    assertEquals(
        1,
        key(
            primary -> {
              primary.registerBean("snowflake", Snowflake.class, BeansTest::flake);
              primary.registerBean(
                  "invoices", Segment.class, BeansTest::invoices, BeansTest::makePrimary);
            }));
    assertEquals(
        1,
        key(
            ofUrl -> {
              ofUrl.registerBean("other", Snowflake.class, BeansTest::flake);
              ofUrl.registerBean("idSource", IdSource.class, BeansTest::invoices);
            }));
  }

  @Test
  void whereNoneStandsOutTheStartIsRefused() {
    Exception failure =
        assertThrows(
            Exception.class,
            () ->
                key(
                    two -> {
                      two.registerBean("here", Snowflake.class, BeansTest::flake);
                      two.registerBean("there", Snowflake.class, BeansTest::flake);
                    }));
    FailureAnalysis analysis = new UnclearSourceAnalyzer().analyze(failure);
    assertTrue(analysis.getDescription().contains("here, there"), analysis.getDescription());
    assertTrue(analysis.getAction().contains("@Primary"), analysis.getAction());
  }

  @Test
  void withoutASourceMybatisHasNoBeans() {
    assertThrows(NoSuchBeanDefinitionException.class, () -> key(none -> {}));
  }

  @Test
  void eachJacksonHasTheModuleOfTheOther() {
    PublicIdKeys keys = PublicIdKeys.generate();
    try (var context =
        start(
            PublicIdBeans.class,
            old -> old.registerBean(PublicIdModule.class, () -> new PublicIdModule(keys)))) {
      assertSame(keys, context.getBean(PublicIdJacksonModule.class).keys());
      assertNotNull(context.getBean(PublicIdModule.class));
    }
    PublicIdJacksonModule module = new PublicIdJacksonModule(keys);
    try (var context =
        start(
            PublicIdBeans.class,
            current -> current.registerBean(PublicIdJacksonModule.class, () -> module))) {
      assertSame(keys, context.getBean(PublicIdModule.class).keys());
      assertSame(module, context.getBean(PublicIdJacksonModule.class));
    }
    try (var context = start(PublicIdBeans.class, none -> {})) {
      assertEquals(0, context.getBeanNamesForType(PublicIdModule.class).length);
    }
  }

  @Test
  void whatEntitiesOpenIsWatchedUntilItCloses() {
    OpenedSources opened = new OpenedSources();
    Segment first = invoices();
    Segment second = invoices();
    List<String> seen = new ArrayList<>();
    opened.add("Invoice.id", first);
    opened.add("Receipt.id", first); // Both share it.
    opened.watch((name, source) -> seen.add(name));
    opened.add("Order.id", second);
    assertEquals(List.of("Invoice.id", "Order.id"), seen);
    first.close();
    assertEquals(Map.of("Order.id", second), opened.all());
    second.close();
  }

  private static FailureAnalysis missing(Class<?> type, String... property) {
    Map<String, Object> properties = new HashMap<>();
    if (property.length > 0) {
      properties.put(property[0], property[1]);
    }
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("given", properties));
    return new MissingBeanAnalyzer(environment).analyze(new NoSuchBeanDefinitionException(type));
  }

  @Test
  void whatAPropertyLeavesOutIsSaidOfThat() {
    String url = "snowmint.url";
    for (Class<?> type : new Class<?>[] {Snowflake.class, Segment.class, JdbcStore.class}) {
      FailureAnalysis analysis = missing(type, url, "snowflake:?worker_id=env");
      assertTrue(analysis.getDescription().contains(type.getSimpleName()));
      assertTrue(analysis.getDescription().contains(url), analysis.getDescription());
      assertTrue(analysis.getAction().contains("Have IdSource injected"), analysis.getAction());
      assertNull(missing(type));
    }
    assertFalse(
        missing(IdSource.class, "snowmint.enabled", "false").getDescription().contains(url));
    assertNull(missing(IdSource.class, url, "uuid:"));
    assertNull(missing(String.class, url, "uuid:"));
  }
}
