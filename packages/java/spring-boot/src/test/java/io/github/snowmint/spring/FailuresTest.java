package io.github.snowmint.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The cure that the report of a failed start names. */
class FailuresTest {
  private static final String OWN =
      "class path resource [io/github/snowmint/spring/SnowmintAutoConfiguration$OfDatabase.class]";

  private static StandardEnvironment environment(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("given", properties));
    return environment;
  }

  private static String action(Map<String, Object> properties, Code code) {
    return analysis(properties, ofBean(OWN, "snowflake", new SnowmintException(code, "as it stands")))
        .getAction();
  }

  private static FailureAnalysis analysis(Map<String, Object> properties, Throwable failure) {
    return new SnowmintFailureAnalyzer(environment(properties)).analyze(failure);
  }

  private static BeanCreationException ofBean(String where, String name, Throwable cause) {
    return new BeanCreationException(where, name, "it cannot be made", cause);
  }

  private static void assertContains(String text, String part) {
    assertTrue(text.contains(part), () -> "no " + part + " in " + text);
  }

  @Test
  void ofAUrlItSpeaksOfTheUrl() {
    Map<String, Object> url = Map.of("snowmint.url", "segment+sqlite:ids.db?tag=orders");
    assertContains(action(url, Code.STORE_MISSING), "add create=true to snowmint.url");
    assertContains(action(url, Code.STORE_UNAVAILABLE), "the server that snowmint.url names");
    assertContains(action(url, Code.STORE_DENIED), "the user whom snowmint.url names");
    assertContains(action(url, Code.UNKNOWN_TAG), "snowmint segment create STORE TAG");
    assertContains(action(url, Code.UNKNOWN_LAYOUT), "layout= in snowmint.url");
    for (Code code : Code.values()) {
      String action = action(url, code);
      assertContains(action, "snowmint.url");
      for (String other : new String[] {"spring.datasource", "create-tables", "snowmint.layout"}) {
        assertFalse(action.contains(other), () -> code + ": " + action);
      }
    }
  }

  @Test
  void ofADataSourceItSpeaksOfThat() {
    Map<String, Object> none = Map.of();
    assertContains(action(none, Code.STORE_MISSING), "snowmint.create-tables=always");
    assertContains(action(none, Code.STORE_UNAVAILABLE), "spring.datasource.url");
    assertContains(action(none, Code.UNKNOWN_TAG), "ensureTag of the bean JdbcStore");
    for (Code code : Code.values()) {
      assertFalse(action(none, code).contains("snowmint.url"), code::toString);
    }
  }

  @Test
  void ofWhatTheApplicationOpensItselfNoPropertyTells() {
    Map<String, Object> none = Map.of();
    String shop = "class path resource [shop/Beans.class]";
    SnowmintException refused = new SnowmintException(Code.INVALID_KEYS, "as it stands");
    // By a runner, once all beans are there.
    assertNull(analysis(none, new IllegalStateException(refused)));
    assertNull(analysis(none, ofBean(shop, "keys", refused)));
    assertNull(analysis(none, ofBean(shop, "snowflake", refused)));
    assertNull(analysis(none, ofBean(OWN, "snowflake", ofBean(shop, "dataSource", refused))));
    assertNotNull(analysis(none, ofBean(shop, "orders", ofBean(OWN, "snowmintStore", refused))));
    // Processed ahead of time.
    assertNotNull(analysis(none, ofBean(null, "idSource", refused)));
  }

  /** One code has several reasons, which the description tells apart. */
  @Test
  void itSaysWhatHelpsForEachReason() {
    Map<String, Object> none = Map.of();
    Map<String, Object> url = Map.of("snowmint.url", "snowflake+postgres://host/shop?create=true");
    for (Map<String, Object> given : List.of(none, url)) {
      assertContains(action(given, Code.STORE_MISSING), "Where the database itself is not there");
      assertContains(action(given, Code.STORE_DENIED), "password");
      assertTrue(action(given, Code.WORKERS_EXHAUSTED).startsWith("Wait as long as"));
    }
    assertFalse(action(none, Code.STORE_SCHEMA).contains("create-tables"));
  }

  @Test
  void whatIsOfTheDataSourceIsRefusedBesideAUrl() {
    SnowmintProperties properties =
        new SnowmintProperties(
            true,
            "uuid:?version=7",
            null,
            null,
            SnowmintProperties.CreateTables.ALWAYS,
            null,
            null,
            null,
            null,
            Duration.ZERO);
    SnowmintException refused =
        assertThrows(
            SnowmintException.class,
            () ->
                Opening.byUrl(
                    properties, environment(Map.of("snowmint.create-tables", "always"))));
    assertEquals(Code.INVALID_PARAMETER, refused.code());
    assertContains(refused.getMessage(), "snowmint.create-tables beside snowmint.url");
  }

  private static DataSource dataSource() {
    Class<?>[] types = {DataSource.class};
    return (DataSource)
        Proxy.newProxyInstance(FailuresTest.class.getClassLoader(), types, (on, method, with) -> null);
  }

  private static String refusedDataSource(String name, Object other) {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.registerSingleton("one", dataSource());
    beans.registerSingleton("other", other);
    SnowmintProperties properties =
        new SnowmintProperties(
            true,
            null,
            name,
            null,
            SnowmintProperties.CreateTables.NEVER,
            null,
            null,
            null,
            null,
            Duration.ZERO);
    SnowmintException refused =
        assertThrows(
            SnowmintException.class,
            () -> Opening.store(properties, beans.getBeanProvider(DataSource.class), beans));
    assertEquals(Code.INVALID_PARAMETER, refused.code());
    return refused.getMessage();
  }

  @Test
  void aDataSourceThatThereIsNotIsSaidOfItsProperty() {
    String there = "names no bean that is a DataSource: there are one";
    assertContains(
        refusedDataSource("nope", dataSource()),
        "snowmint.data-source=nope " + there + ", other");
    assertContains(refusedDataSource("other", "a text"), "snowmint.data-source=other " + there);
  }
}
