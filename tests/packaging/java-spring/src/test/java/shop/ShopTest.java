package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.IdSource;
import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.Store;
import io.github.snowmint.UuidSource;
import io.github.snowmint.WorkerRow;
import io.github.snowmint.jackson.PublicIdModule;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.testing.DatabaseServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Applications of this Spring Boot with the starter, run as their users run them. */
class ShopTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** A segment beside the snowflake; not found by itself, but named. */
  static class Numbers {
    @Bean
    Segment invoices(JdbcStore store) {
      store.ensureTag("invoices");
      return Segment.builder(store, "invoices").open();
    }
  }

  /** Several snowflakes. */
  static class Flakes {
    @Bean
    Snowflake here(JdbcStore store) {
      return Snowflake.builder().leaseFrom(store).open();
    }

    @Bean
    Snowflake there(JdbcStore store) {
      return Snowflake.builder().leaseFrom(store).open();
    }
  }

  /** Public IDs, as for Jackson 2, by which Spring Boot 4 does not write. */
  static class Keys {
    @Bean
    PublicIdModule publicIds() {
      return new PublicIdModule(PublicIdKeys.generate());
    }
  }

  /** Asks for what is of the database. */
  static class Flake {
    @Bean
    String first(Snowflake flake) {
      return Long.toString(flake.nextId());
    }
  }

  /** A source of the application's own, and what has it but cannot be made. */
  static class Unable {
    @Bean
    Snowflake own(JdbcStore store) {
      return Snowflake.builder().leaseFrom(store).open();
    }

    @Bean
    Object clerk(Snowflake own) {
      throw new IllegalStateException("nobody is there after ID " + own.nextId());
    }
  }

  /** A bean that has the starter's source but cannot be made. */
  static class Unwilling {
    @Bean
    Object clerk(Snowflake snowflake) {
      throw new IllegalStateException("nobody is there after ID " + snowflake.nextId());
    }
  }

  /** Opens what no property names. */
  static class Elsewhere {
    @Bean
    IdSource orders() {
      return IdSource.open("segment+sqlite:nowhere/ids.db?tag=orders");
    }
  }

  /** A second database. */
  static class Databases {
    @Bean
    DataSource one() {
      return h2(freshH2());
    }

    @Bean
    DataSource other() {
      return h2(freshH2());
    }
  }

  private static String freshH2() {
    return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  }

  private static JdbcDataSource h2(String url) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(url);
    source.setUser("sa"); // As Spring Boot is where nothing is said.
    source.setPassword("");
    return source;
  }

  static ConfigurableApplicationContext start(Class<?> beside, String... properties) {
    SpringApplication application =
        beside == null
            ? new SpringApplication(Shop.class)
            : new SpringApplication(Shop.class, beside);
    List<String> arguments = new ArrayList<>();
    arguments.add("--server.port=0");
    arguments.add("--spring.main.banner-mode=off");
    if (!String.join(" ", properties).contains("spring.flyway.")) {
      arguments.add("--spring.flyway.enabled=false");
    }
    arguments.add("--management.endpoints.web.exposure.include=health,metrics");
    arguments.add("--management.endpoint.health.show-details=always");
    for (String property : properties) {
      arguments.add("--" + property);
    }
    return application.run(arguments.toArray(String[]::new));
  }

  private static HttpResponse<String> ask(
      ConfigurableApplicationContext shop, String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(shop, path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(
      ConfigurableApplicationContext shop, String path, String json) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(shop, path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static URI uri(ConfigurableApplicationContext shop, String path) {
    String port = shop.getEnvironment().getProperty("local.server.port");
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static String get(ConfigurableApplicationContext shop, String path) throws Exception {
    return ask(shop, "GET", path).body();
  }

  private static void assertContains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "no " + part + " in " + text);
    }
  }

  /** Returns the text of a start that has to fail and say what is to be done. */
  private static String refused(Class<?> beside, String... properties) {
    String text = printed(beside, properties);
    assertContains(text, "APPLICATION FAILED TO START", "Action:");
    return text;
  }

  /** Returns the text of a start that has to fail. */
  private static String printed(Class<?> beside, String... properties) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream usual = System.out;
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThrows(Exception.class, () -> start(beside, properties).close());
    } finally {
      System.setOut(usual);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  private static PGSimpleDataSource postgres(DatabaseServer server) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.url("postgres"));
    return source;
  }

  @Test
  void whatAnApplicationOpensItselfIsNotBlamedOnProperties() {
    String text = printed(Elsewhere.class, "spring.datasource.url=" + freshH2());
    assertContains(text, "nowhere/ids.db: there is no", "at shop.ShopTest$Elsewhere.orders");
    assertFalse(text.contains("snowmint could not open its source"), text);
  }

  @Test
  void itRunsWithNothingConfigured() throws Exception {
    String url = freshH2();
    JdbcStore leases = new JdbcStore(h2(url));
    try (ConfigurableApplicationContext shop =
        start(Numbers.class, "spring.datasource.url=" + url)) {
      Snowflake flake = shop.getBean(Snowflake.class);
      long first = Long.parseLong(ask(shop, "POST", "/ids").body());
      assertTrue(Long.parseLong(ask(shop, "POST", "/ids").body()) > first);
      long workerId = flake.layout().decode(first).workerId();
      assertEquals(1, shop.getBean(Segment.class).nextId());
      assertTrue(leases.workers().get(0).held());

      assertContains(
          get(shop, "/actuator/health"),
          "\"snowflake\":{\"kind\":\"snowflake\",\"workerId\":" + workerId,
          "\"invoices\":{\"kind\":\"segment\"");
      assertContains(get(shop, "/actuator/metrics/snowmint.source.ready"), "\"value\":2.0");
      assertContains(
          get(shop, "/actuator/metrics/snowmint.source.worker.id?tag=source:snowflake"),
          "\"value\":" + workerId + ".0");
      assertContains(get(shop, "/actuator/metrics/snowmint.source.at.hand"), "invoices");
      assertContains(get(shop, "/actuator/metrics/snowmint.source.runway"), "seconds");

      flake.close();
      HttpResponse<String> down = ask(shop, "GET", "/actuator/health");
      assertEquals(503, down.statusCode());
      assertContains(down.body(), "\"closed\":true");
      assertContains(
          get(shop, "/actuator/metrics/snowmint.source.ready?tag=source:snowflake"),
          "\"value\":0.0");
    }
  }

  @Test
  void itsWorkerIdIsGivenBackBeforeTheDatabaseIsLeft() throws Exception {
    String url = freshH2();
    start(null, "spring.datasource.url=" + url).close();
    assertGivenBack(url);
  }

  private static void assertGivenBack(String url) {
    List<WorkerRow> rows = new JdbcStore(h2(url)).workers();
    assertEquals(1, rows.size());
    assertFalse(rows.get(0).held(), rows::toString);
  }

  @Test
  void soIsThatOfALazySource() {
    String url = freshH2();
    try (ConfigurableApplicationContext shop =
        start(
            null,
            "spring.datasource.url=" + url,
            "spring.main.lazy-initialization=true",
            "management.health.snowmint.enabled=false")) {
      shop.getBean(Snowflake.class).nextId();
      assertTrue(new JdbcStore(h2(url)).workers().get(0).held());
    }
    assertGivenBack(url);
  }

  @Test
  void soIsThatOfAStartThatFails() {
    for (Class<?> beside : new Class<?>[] {Unwilling.class, Unable.class}) {
      String url = freshH2();
      Exception failure =
          assertThrows(
              Exception.class, () -> start(beside, "spring.datasource.url=" + url).close());
      assertContains(String.valueOf(failure.getMessage()), "nobody is there after ID");
      assertGivenBack(url);
    }
  }

  private static String withOrders() throws Exception {
    String url = freshH2();
    try (var connection = h2(url).getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, text VARCHAR, number BIGINT)");
    }
    return url;
  }

  @Test
  void mybatisTakesItsKeysFromIt() throws Exception {
    for (Class<?> beside : Arrays.asList(null, Numbers.class)) {
      try (ConfigurableApplicationContext shop =
          start(beside, "spring.datasource.url=" + withOrders())) {
        Snowflake flake = shop.getBean(Snowflake.class);
        Shop.Order order = new Shop.Order();
        order.text = "tea";
        long before = flake.nextId();
        shop.getBean(Shop.Orders.class).insert(order);
        long after = flake.nextId();
        assertTrue(before < order.id && order.id < after, () -> "not " + order.id);
        assertTrue(before < order.number && order.number < after, () -> "not " + order.number);
      }
    }
    String several = refused(Flakes.class, "spring.datasource.url=" + withOrders());
    assertContains(several, "from one of the sources here, there", "@Primary");
  }

  @Test
  void jsonHasPublicIds() throws Exception {
    // Public IDs need no source.
    try (ConfigurableApplicationContext shop = start(Keys.class, "snowmint.enabled=false")) {
      String json = get(shop, "/receipts/1541815603606036480");
      assertTrue(json.matches("\\{\"id\":\"order_1[0-9a-z]{26}\"\\}"), json);
      assertEquals("1541815603606036480", post(shop, "/receipts", json).body());
      assertEquals(400, post(shop, "/receipts", "{\"id\":7}").statusCode());
      assertEquals(400, post(shop, "/receipts", "{}").statusCode());
    }
  }

  @Test
  void onPostgresTablesAreMadeWhereThatIsSaid() throws Exception {
    try (DatabaseServer server = DatabaseServer.postgres()) {
      String database = "spring.datasource.url=" + server.url("postgres");
      for (Class<?> beside : Arrays.asList(null, Numbers.class)) {
        String tables = refused(beside, database);
        assertContains(tables, "store_missing: ", "set snowmint.create-tables=always");
        assertFalse(tables.contains("createTables()"), tables);
      }
      String nowhere = refused(null, "spring.datasource.url=" + server.url("nowhere"));
      assertContains(nowhere, "no such database", "Where the database itself is not there, create");
      String always = "snowmint.create-tables=always";
      try (ConfigurableApplicationContext one = start(null, database, always);
          ConfigurableApplicationContext other = start(null, database)) {
        Snowflake first = one.getBean(Snowflake.class);
        Snowflake second = other.getBean(Snowflake.class);
        assertNotEquals(first.stats().workerId(), second.stats().workerId());
        assertNotEquals(first.nextId(), second.nextId());
        assertEquals(2, new JdbcStore(postgres(server)).workers().size());
      }
      String layout = "snowmint.layout=time:41,worker:1,sequence:12";
      assertContains(refused(null, database, layout), "realm_mismatch: ");
      String fresh = "spring.datasource.url=" + freshH2();
      start(null, fresh, layout, "snowmint.policy=snowmint", "snowmint.max-wait=1s").close();
      assertContains(
          refused(null, database, "snowmint.layout=nobody"),
          "unknown_layout: ",
          "Set snowmint.layout to a preset's name");
      assertContains(refused(null, database, "snowmint.reserve=99ms"), "a reservation of PT0.099S");
    }
  }

  private static String keySpace(String url) throws Exception {
    try (var connection = h2(url).getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT key_space FROM snowmint_schema")) {
      rows.next();
      return rows.getString(1);
    }
  }

  @Test
  void onlyTheKeySpaceOfItsPropertyIsUsed() throws Exception {
    String first = freshH2();
    String second = freshH2();
    for (String url : new String[] {first, second}) {
      start(null, "spring.datasource.url=" + url).close();
    }
    String pin = "snowmint.key-space=" + keySpace(first);
    start(null, "spring.datasource.url=" + first, pin).close();
    assertContains(
        refused(null, "spring.datasource.url=" + second, pin),
        "incarnation_changed: this is the key space " + keySpace(second),
        "the right database");
    // Nothing begins where it should be.
    assertContains(
        refused(null, "spring.datasource.url=" + freshH2(), pin), "has no key space, so ");
    assertContains(
        refused(null, "snowmint.url=uuid:?version=7", pin), "snowmint.key-space beside snowmint.url");
  }

  @Test
  void aUrlTakesTheDatabasesPlace() {
    try (ConfigurableApplicationContext shop = start(null, "snowmint.url=uuid:?version=7")) {
      assertEquals(7, shop.getBean(IdSource.class).nextUuid().version());
      assertTrue(shop.getBean(IdSource.class) instanceof UuidSource);
      assertEquals(0, shop.getBeanNamesForType(JdbcStore.class).length);
    }
    // As of a placeholder whose variable is not there.
    try (ConfigurableApplicationContext shop =
        start(null, "snowmint.url=", "spring.datasource.url=" + freshH2())) {
      assertEquals(1, shop.getBeanNamesForType(JdbcStore.class).length);
    }
    assertContains(
        refused(null, "snowmint.url=snowflak:?worker_id=7"), "unknown_scheme: ", "snowmint.url");
    assertContains(
        refused(null, "snowmint.url=uuid:?version=7", "snowmint.layout=twitter"),
        "snowmint.layout beside snowmint.url");
    assertContains(
        refused(null, "snowmint.url=uuid:?version=7", "snowmint.create-tables=embedded"),
        "snowmint.create-tables beside snowmint.url");
    assertContains(
        refused(Flake.class, "snowmint.url=uuid:?version=7"),
        "There is no bean Snowflake: with snowmint.url",
        "Have IdSource injected");
  }

  @Test
  void whatAUrlLacksIsSaidOfTheUrl(@TempDir Path directory) {
    String file = directory.resolve("ids.db").toString();
    String missing = refused(null, "snowmint.url=snowflake+sqlite:" + file);
    assertContains(missing, "store_missing: ", "add create=true to snowmint.url");
    assertFalse(missing.contains("create-tables"), missing);
    Store.createSqlite(Path.of(file));
    assertContains(
        refused(null, "snowmint.url=segment+sqlite:" + file + "?tag=orders"),
        "unknown_tag: ",
        "Create the tag, once: snowmint segment create STORE TAG");
    String silent = refused(null, "snowmint.url=snowflake+postgres://nobody@127.0.0.1:1/shop");
    assertContains(silent, "the server that snowmint.url names");
    assertFalse(silent.contains("spring.datasource"), silent);
  }

  @Test
  void whereItIsToLeaseFromHasToBeClear() {
    String prefix =
        System.getProperty("boot").startsWith("3.")
            ? "org.springframework.boot.autoconfigure.jdbc."
            : "org.springframework.boot.jdbc.autoconfigure.";
    String without = "spring.autoconfigure.exclude=" + prefix + "DataSourceAutoConfiguration";
    assertContains(
        refused(null, without, "mybatis-plus.lazy-initialization=true"),
        "there is no DataSource to lease a worker ID from");
    assertContains(refused(Databases.class), "there are several DataSources");
    start(Databases.class, "snowmint.data-source=other").close();
  }

  @Test
  void aPropertyThatThereIsNotIsRefused() {
    assertContains(
        refused(null, "snowmint.create-table=always"),
        "no such property: snowmint.create-table (\"snowmint.create-table\" from property source",
        "There are snowmint.enabled, snowmint.url, snowmint.data-source, snowmint.key-space, ");
    System.setProperty("snowmint.library.other", "7"); // Those of the JVM are the library's own.
    try {
      start(null, "snowmint.url=uuid:").close();
    } finally {
      System.clearProperty("snowmint.library.other");
    }
  }

  @Test
  void itCanBeLeftOut() {
    try (ConfigurableApplicationContext shop = start(null, "snowmint.enabled=false")) {
      assertEquals(0, shop.getBeanNamesForType(IdSource.class).length);
    }
  }
}
