package io.github.snowmint.shardingsphere;

import io.github.snowmint.ClockPolicy;
import io.github.snowmint.Code;
import io.github.snowmint.Layout;
import io.github.snowmint.Preset;
import io.github.snowmint.SequenceStart;
import io.github.snowmint.Snowflake;
import io.github.snowmint.SnowmintException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;

/**
 * {@code SNOWMINT_SNOWFLAKE}: 64-bit keys of time, worker ID and sequence, like those of
 * {@code SNOWFLAKE}. The worker ID's time is reserved before it is used.
 *
 * <p>Name the origin of the worker ID by exactly one of these:
 *
 * <ul>
 *   <li>{@code worker-id}: a number, {@code env}, {@code env:NAME}, {@code ordinal} (of a
 *       StatefulSet's pod), {@code ordinal:NAME} or {@code ip:10.0.4.0/22}. Its time is reserved in
 *       {@code state-directory}.
 *   <li>{@code jdbc-url}, with {@code jdbc-username} and {@code jdbc-password}: a worker ID leased
 *       from a database. {@code create} creates the tables if they do not exist.
 *   <li>{@code leaf.zk.list}, {@code leaf.name} and {@code leaf.snowflake.port}, as in Leaf: the
 *       worker ID of Leaf's node for this machine, in Leaf's layout. These allow no other property.
 *   <li>{@code url}: any source of snowflakes, such as {@code snowflake+sqlite:ids.db}, with the
 *       settings in its parameters.
 * </ul>
 *
 * <p>The first two allow these properties:
 *
 * <ul>
 *   <li>{@code max-tolerate-time-difference-milliseconds}: how long to wait after the clock went
 *       back. The default is 10.
 *   <li>{@code max-vibration-offset}: the largest sequence number that a fresh tick begins with.
 *       Unless set, a tick begins one above the last number, so that single keys fall evenly on any
 *       number of shards.
 *   <li>{@code layout}: the default is {@code shardingsphere} (epoch 2016-11-01 in UTC).
 * </ul>
 *
 * <p>Keys rise strictly in issue order, across threads, restarts and steps of the clock. A call
 * waits while a tick is full or while the clock is behind by no more than is tolerated. If the
 * clock is further behind, the call fails with the code {@link Code#CLOCK_BEHIND}. A start waits,
 * for at most a second, for the time that the process before it reserved with the same
 * {@code worker-id}.
 */
public final class SnowflakeKeyGenerateAlgorithm extends Generator {
  static final String TYPE = "SNOWMINT_SNOWFLAKE";
  private static final String TOLERATED = "max-tolerate-time-difference-milliseconds";
  private static final String VIBRATION = "max-vibration-offset";
  private static final long TOLERATED_MS_MAX = Integer.MAX_VALUE;
  private static final long WAIT_MS = 5_000;
  private static final List<String> OF_WORKER = List.of("worker-id", "state-directory");
  private static final List<String> OF_JDBC =
      List.of("jdbc-url", "jdbc-username", "jdbc-password", "create");
  private static final List<String> OF_BOTH = List.of(TOLERATED, VIBRATION, "layout");
  private static final List<String> KNOWN = known();

  /** Creates a generator without a source, for ShardingSphere to call. */
  public SnowflakeKeyGenerateAlgorithm() {}

  private static List<String> known() {
    List<String> known = new ArrayList<>(List.of("url"));
    known.addAll(OF_WORKER);
    known.addAll(OF_JDBC);
    known.addAll(OF_BOTH);
    known.addAll(LeafNodes.KNOWN);
    return List.copyOf(known);
  }

  @Override
  Opener read(Properties properties) {
    Settings settings = new Settings(TYPE, properties, KNOWN);
    String source = settings.one("worker-id", "url", "jdbc-url", LeafNodes.SERVERS);
    if (!source.equals("worker-id")) {
      settings.without(source, OF_WORKER);
    }
    if (!source.equals("jdbc-url")) {
      settings.without(source, OF_JDBC);
    }
    if (source.equals(LeafNodes.SERVERS)) {
      settings.without(source, OF_BOTH);
      String url = LeafNodes.url(settings);
      return new Opener(settings, () -> Opener.open(settings, source, url));
    }
    settings.without(source, LeafNodes.KNOWN);
    if (source.equals("url")) {
      settings.without(source, OF_BOTH);
      return Opener.ofUrl(
          settings, Snowflake.class, "snowflake:?worker_id=7 or snowflake+sqlite:ids.db");
    }
    Layout layout = layout(settings);
    ClockPolicy policy = policy(settings);
    Snowflake.Builder builder =
        Snowflake.builder()
            .layout(layout)
            .policy(policy)
            .start(start(settings, layout))
            // Otherwise a call would give up before the tolerated time.
            .maxWait(Duration.ofMillis(WAIT_MS + policy.maxWaitMs()));
    if (source.equals("worker-id")) {
      place(settings, builder);
      return new Opener(settings, () -> openWorker(settings, builder));
    }
    settings.flag("create");
    return new Opener(settings, () -> openLeased(settings, builder));
  }

  private static Layout layout(Settings settings) {
    Layout layout;
    try {
      layout = Layout.of(settings.text("layout", "shardingsphere"));
    } catch (SnowmintException failure) {
      throw settings.about("layout", failure);
    }
    if (layout.fits(63).never()) {
      throw settings.invalid("layout", "one of 63 bits: these keys would be negative numbers");
    }
    return layout;
  }

  static ClockPolicy policy(Settings settings) {
    ClockPolicy usual = Preset.named("shardingsphere").policy();
    long waitMs = settings.number(TOLERATED, 0, TOLERATED_MS_MAX, usual.maxWaitMs());
    return new ClockPolicy(usual.maxAheadMs(), usual.whenBehind(), waitMs, usual.whenFull());
  }

  static SequenceStart start(Settings settings, Layout layout) {
    long offset = settings.number(VIBRATION, 0, layout.idsPerTick() - 1, -1);
    return offset < 0 ? SequenceStart.ROTATE : SequenceStart.vibrate(offset);
  }

  private static void place(Settings settings, Snowflake.Builder builder) {
    builder.workerId(settings.text("worker-id"));
    if (settings.has("state-directory")) {
      try {
        builder.stateDirectory(Path.of(settings.text("state-directory")));
      } catch (InvalidPathException failure) {
        throw settings.invalid("state-directory", "the path of a directory");
      }
    }
  }

  private static Snowflake openWorker(Settings settings, Snowflake.Builder builder) {
    try {
      return builder.open();
    } catch (SnowmintException failure) {
      throw settings.about("worker-id", failure);
    }
  }

  private static Snowflake openLeased(Settings settings, Snowflake.Builder builder) {
    try {
      return builder.leaseFrom(Opener.store(settings)).open();
    } catch (SnowmintException failure) {
      throw Opener.refused(settings, failure);
    }
  }

  @Override
  public Collection<Long> generateKeys(AlgorithmSQLContext context, int keyGenerateCount) {
    return numbers(keyGenerateCount);
  }

  @Override
  public String getType() {
    return TYPE;
  }
}
