package io.github.snowmint.shardingsphere;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Layout;
import io.github.snowmint.SequenceStart;
import io.github.snowmint.engine.Lane;
import io.github.snowmint.engine.Snowflake;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The distribution of keys over shards as time goes by, with the time as an argument. */
class EvenShardsTest {
  private static final long BEGIN_MS = 1_700_000_000_000L;
  private static final int KEYS = 20_160; // a multiple of every number of shards here

  private static Snowflake engine(Properties properties) {
    Settings settings =
        new Settings("SNOWMINT_SNOWFLAKE", properties, List.of("max-vibration-offset"));
    Layout layout = Layout.SHARDINGSPHERE;
    SequenceStart start = SnowflakeKeyGenerateAlgorithm.start(settings, layout);
    return new Snowflake(layout, Lane.of(7), 0, start);
  }

  /** Counts the keys of each shard, with so many at once, about once a second. */
  private static int[] fill(int shards, int keysAtOnce, Properties properties) {
    Snowflake engine = engine(properties);
    Random spread = new Random(1);
    int[] filled = new int[shards];
    long nowMs = BEGIN_MS;
    for (int issued = 0; issued < KEYS; issued += keysAtOnce) {
      nowMs += 500 + spread.nextInt(1_000);
      for (long id : engine.issue(keysAtOnce, nowMs)) {
        filled[(int) (id % shards)]++;
      }
    }
    return filled;
  }

  /** Within a tenth of the same on each. */
  private static void assertEven(int[] filled) {
    int each = KEYS / filled.length;
    for (int keys : filled) {
      assertTrue(Math.abs(keys - each) <= each / 10, () -> Arrays.toString(filled));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 7, 8, 16, 32, 64})
  void oneKeyASecond(int shards) {
    assertEven(fill(shards, 1, new Properties()));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 7, 8, 16, 32, 64})
  void bursts(int shards) {
    for (int keys : new int[] {2, 3, 10, 96, 3_360}) {
      assertEven(fill(shards, keys, new Properties()));
    }
  }

  @Test
  void vibrationIsEvenForOneMoreShards() {
    Properties three = Generators.properties("max-vibration-offset", 3);
    assertEven(fill(4, 1, three));
    assertEven(fill(2, 1, three));
    Properties none = Generators.properties("max-vibration-offset", 0);
    assertArrayEquals(new int[] {KEYS, 0}, fill(2, 1, none));
    int[] beyond = fill(8, 1, three);
    assertEquals(4, Arrays.stream(beyond).filter(keys -> keys == 0).count());
  }
}
