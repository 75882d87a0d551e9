package io.github.snowmint.shardingsphere;

import static io.github.snowmint.shardingsphere.Generators.key;
import static io.github.snowmint.shardingsphere.Generators.keys;
import static io.github.snowmint.shardingsphere.Generators.open;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.ClockPolicy;
import io.github.snowmint.Code;
import io.github.snowmint.Layout;
import io.github.snowmint.SequenceStart;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each property, and what is no property. */
class PropertiesTest {
  private static final String SNOWFLAKE = "SNOWMINT_SNOWFLAKE";
  private static final String SEGMENT = "SNOWMINT_SEGMENT";
  private static final String UUIDS = "SNOWMINT_UUID";

  @TempDir Path directory;

  @Test
  void aWorkerId() throws Exception {
    try (Generator keys =
        open(SNOWFLAKE, "worker-id", 1023, "state-directory", directory.toString())) {
      assertEquals(1023, Layout.SHARDINGSPHERE.decode(key(keys)).workerId());
      assertEquals(3, keys(keys, 3).size());
    }
    try (var files = Files.list(directory)) {
      assertTrue(files.findAny().isPresent(), "the worker ID's time is reserved there");
    }
  }

  @Test
  void aLayoutAndAllTheTimeThereIs() {
    try (Generator keys =
        open(
            SNOWFLAKE,
            "worker-id", "7",
            "state-directory", directory.toString(),
            "max-tolerate-time-difference-milliseconds", Integer.MAX_VALUE,
            "layout", "shardingsphere-cst")) {
      assertEquals(7, Layout.SHARDINGSPHERE_CST.decode(key(keys)).workerId());
    }
  }

  @Test
  void toleratedTimeAndVibration() {
    List<String> known =
        List.of("max-tolerate-time-difference-milliseconds", "max-vibration-offset");
    Settings usual = new Settings(SNOWFLAKE, new Properties(), known);
    assertEquals(ClockPolicy.named("shardingsphere"), SnowflakeKeyGenerateAlgorithm.policy(usual));
    assertEquals(
        SequenceStart.ROTATE,
        SnowflakeKeyGenerateAlgorithm.start(usual, Layout.SHARDINGSPHERE));
    Properties given = Generators.properties(known.get(0), 250, known.get(1), 4095);
    Settings set = new Settings(SNOWFLAKE, given, known);
    ClockPolicy policy = SnowflakeKeyGenerateAlgorithm.policy(set);
    assertEquals(ClockPolicy.WhenBehind.WAIT, policy.whenBehind());
    assertEquals(250, policy.maxWaitMs());
    assertEquals(0, policy.maxAheadMs());
    assertEquals(
        SequenceStart.vibrate(4095),
        SnowflakeKeyGenerateAlgorithm.start(set, Layout.SHARDINGSPHERE));
  }

  @Test
  void urls() {
    Path file = directory.resolve("ids.db");
    Store.createSqlite(file).createTag("orders");
    String snowflake = "snowflake+sqlite:" + file + "?layout=shardingsphere";
    try (Generator keys = open(SNOWFLAKE, "url", snowflake)) {
      assertEquals(
          Store.sqlite(file).workers().get(0).workerId(),
          Layout.SHARDINGSPHERE.decode(key(keys)).workerId());
    }
    try (Generator keys = open(SEGMENT, "url", "segment+sqlite:" + file + "?tag=orders")) {
      assertEquals(List.of(1L, 2L, 3L), List.copyOf(keys(keys, 3)));
    }
  }

  @ParameterizedTest
  @CsvSource({",, 4", "version, 4, 4", "version, 7, 7", "url, uuid:?version=7, 7"})
  void uuids(String name, String value, int version) {
    Properties properties = name == null ? new Properties() : Generators.properties(name, value);
    try (Generator keys = new UuidKeyGenerateAlgorithm()) {
      keys.init(properties);
      Collection<? extends Comparable<?>> two = keys(keys, 2);
      assertEquals(2, List.copyOf(two).stream().distinct().count());
      for (Object each : two) {
        String digits = (String) each;
        assertTrue(digits.matches("[0-9a-f]{32}"), digits);
        String dashed = digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})", "$1-$2-$3-$4-");
        assertEquals(version, UUID.fromString(dashed).version());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SNOWMINT_SNOWFLAKE |            | INVALID_PARAMETER | worker-id, url, jdbc-url",
        "SNOWMINT_SNOWFLAKE | worker-id=1024 | FIELD_OUT_OF_RANGE | worker-id",
        "SNOWMINT_SNOWFLAKE | worker-id=-1 | INVALID_PARAMETER | worker-id",
        "SNOWMINT_SNOWFLAKE | worker-id=seven | INVALID_PARAMETER | worker-id",
        "SNOWMINT_SNOWFLAKE | worker-id=env:NO_SUCH | WORKER_NOT_CONFIGURED | worker-id",
        "SNOWMINT_SNOWFLAKE | workerId=7 | UNKNOWN_PARAMETER | property workerId is none",
        "SNOWMINT_SNOWFLAKE | worker-id=7;url=snowflake: | INVALID_PARAMETER | worker-id and url",
        "SNOWMINT_SNOWFLAKE | worker-id=7;jdbc-username=me | INVALID_PARAMETER | jdbc-username",
        "SNOWMINT_SNOWFLAKE | worker-id=7;max-vibration-offset=4096 | INVALID_PARAMETER | 4095",
        "SNOWMINT_SNOWFLAKE | worker-id=7;max-vibration-offset=-1 | INVALID_PARAMETER | offset",
        "SNOWMINT_SNOWFLAKE | worker-id=7;max-vibration-offset=1.5 | INVALID_PARAMETER | offset",
        "SNOWMINT_SNOWFLAKE | worker-id=7;max-tolerate-time-difference-milliseconds=x"
            + "| INVALID_PARAMETER | max-tolerate-time-difference-milliseconds",
        "SNOWMINT_SNOWFLAKE | worker-id=7;max-tolerate-time-difference-milliseconds=-1"
            + "| INVALID_PARAMETER | max-tolerate-time-difference-milliseconds",
        "SNOWMINT_SNOWFLAKE | worker-id=7;layout=nobody | UNKNOWN_LAYOUT | layout",
        "SNOWMINT_SNOWFLAKE | worker-id=7;layout=worker:1,time:62,sequence:1"
            + "| INVALID_PARAMETER | 63 bits",
        "SNOWMINT_SNOWFLAKE | url=segment+sqlite:x | INVALID_TAG | url",
        "SNOWMINT_SNOWFLAKE | url=uuid: | INVALID_PARAMETER | snowflake+sqlite",
        "SNOWMINT_SNOWFLAKE | url=nonsense | INVALID_URL | url",
        "SNOWMINT_SNOWFLAKE | url=snowflake:;layout=leaf | INVALID_PARAMETER | layout",
        "SNOWMINT_SNOWFLAKE | jdbc-url=jdbc:none:x | STORE_UNAVAILABLE | No suitable driver",
        "SNOWMINT_SNOWFLAKE | jdbc-url=jdbc:none:x;create=yes | INVALID_PARAMETER | true or false",
        "SNOWMINT_SEGMENT |              | INVALID_PARAMETER | url, jdbc-url",
        "SNOWMINT_SEGMENT | tag=orders   | INVALID_PARAMETER | url, jdbc-url",
        "SNOWMINT_SEGMENT | leaf.key=orders | INVALID_PARAMETER | leaf.jdbc.url",
        "SNOWMINT_SEGMENT | jdbc-url=jdbc:none:x | INVALID_PARAMETER | no tag",
        "SNOWMINT_SEGMENT | jdbc-url=jdbc:none:x;tag=orders | STORE_UNAVAILABLE | driver",
        "SNOWMINT_SEGMENT | jdbc-url=jdbc:none:x;tag=no tag | INVALID_TAG | tag",
        "SNOWMINT_SEGMENT | jdbc-url=jdbc:none:x;tag=a;step=0 | INVALID_PARAMETER | step",
        "SNOWMINT_SEGMENT | jdbc-url=jdbc:none:x;tag=a;start=5 | INVALID_PARAMETER | start",
        "SNOWMINT_SEGMENT | jdbc-url=jdbc:none:x;tag=a;create=true;start=9223372036854775807"
            + "| INVALID_PARAMETER | 0 to 9223372036854775806",
        "SNOWMINT_SEGMENT | url=segment+sqlite:x?tag=a;tag=a | INVALID_PARAMETER | tag",
        "SNOWMINT_SEGMENT | url=uuid: | INVALID_PARAMETER | segment+sqlite",
        "SNOWMINT_UUID | version=5 | INVALID_PARAMETER | 4 or 7",
        "SNOWMINT_UUID | version=4;url=uuid: | INVALID_PARAMETER | version",
        "SNOWMINT_UUID | url=snowflake+sqlite:x?create=true | INVALID_PARAMETER | uuid:",
        "SNOWMINT_UUID | worker-id=7 | UNKNOWN_PARAMETER | worker-id",
      })
  void refused(String type, String properties, Code code, String message) {
    SnowmintException failure =
        assertThrows(SnowmintException.class, () -> open(type, pairs(properties)));
    assertEquals(code, failure.code(), failure.getMessage());
    assertTrue(failure.getMessage().contains(message), failure.getMessage());
  }

  /** Messages of drivers and the library repeat no part of a URL that may be secret. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SNOWMINT_SNOWFLAKE | jdbc-url | jdbc:none://ann:S3CRET@db/ids",
        "SNOWMINT_SNOWFLAKE | jdbc-url | jdbc:none:x?password=S3CRET",
        "SNOWMINT_SNOWFLAKE | url | postgres://ann:S3CRET@db/ids",
        "SNOWMINT_SNOWFLAKE | url | uuid:?version=7&password=S3CRET",
        "SNOWMINT_SNOWFLAKE | url | ann:S3CRET@db",
      })
  void noMessageShowsAPassword(String row) {
    String[] parts = row.split(" \\| ");
    Throwable failure =
        assertThrows(SnowmintException.class, () -> open(parts[0], parts[1], parts[2]));
    for (; failure != null; failure = failure.getCause()) {
      assertFalse(failure.toString().contains("S3CRET"), failure.toString());
    }
    String shown = new DriverManagerSource(parts[2], "ann", "S3CRET").toString();
    assertFalse(shown.contains("S3CRET"), shown);
  }

  /** Names and values by turns; files lie in the test's directory. */
  private Object[] pairs(String properties) {
    return properties == null
        ? new Object[0]
        : Arrays.stream(properties.split(";"))
            .flatMap(each -> Arrays.stream(each.split("=", 2)))
            .map(each -> each.replace("sqlite:x", "sqlite:" + directory.resolve("x.db")))
            .toArray();
  }

  @Test
  void beforeInitAndAfterClose() {
    Generator fresh = new UuidKeyGenerateAlgorithm();
    assertEquals(
        Code.CLOSED, assertThrows(SnowmintException.class, () -> keys(fresh, 1)).code());
    fresh.init(new Properties());
    assertEquals(1, keys(fresh, 1).size());
    fresh.close();
    fresh.close();
    assertEquals(
        Code.CLOSED, assertThrows(SnowmintException.class, () -> keys(fresh, 1)).code());
  }
}
