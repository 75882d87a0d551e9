package io.github.snowmint.shardingsphere;

import io.github.snowmint.Code;
import io.github.snowmint.Segment;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.Snowmint;
import io.github.snowmint.TagOptions;
import io.github.snowmint.jdbc.JdbcStore;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;

/**
 * {@code SNOWMINT_SEGMENT}: dense numbers of a tag, from ranges that are reserved in a database and
 * fetched ahead.
 *
 * <p>Name the source by exactly one of these:
 *
 * <ul>
 *   <li>{@code jdbc-url} and {@code tag}, with {@code jdbc-username} and {@code jdbc-password}: a
 *       database of PostgreSQL, MySQL, MariaDB or SQLite, with the application's driver.
 *       {@code step} is the size of a range. Unless set, it is the tag's step, or more while the
 *       tag is busy. {@code create} creates the tables and the tag if they do not exist. The tag
 *       begins at {@code start}.
 *   <li>{@code leaf.jdbc.url} and {@code leaf.key}, with {@code leaf.jdbc.username} and
 *       {@code leaf.jdbc.password}, as for Leaf's own generator. It uses Leaf's table
 *       {@code leaf_alloc} unchanged, beside Leaf's servers.
 *   <li>{@code url}: a URL such as {@code segment+sqlite:ids.db?tag=orders}, with the settings in
 *       its parameters.
 * </ul>
 *
 * <p>Keys rise strictly within a process. Processes on the same tag have separate ranges. Numbers
 * that are fetched and not used when a process ends are a gap. While the database is down, the
 * fetched numbers last. Then calls fail within 5 s, and succeed again by themselves when it is
 * back.
 */
public final class SegmentKeyGenerateAlgorithm extends Generator {
  static final String TYPE = "SNOWMINT_SEGMENT";
  private static final List<String> OF_JDBC =
      List.of("jdbc-url", "jdbc-username", "jdbc-password", "tag", "step", "create", "start");
  private static final List<String> KNOWN =
      Stream.of(List.of("url"), OF_JDBC, LeafTable.KNOWN).flatMap(List::stream).toList();

  /** Creates a generator without a source, for ShardingSphere to call. */
  public SegmentKeyGenerateAlgorithm() {}

  @Override
  Opener read(Properties properties) {
    Settings settings = new Settings(TYPE, properties, KNOWN);
    String source = settings.one("url", "jdbc-url", LeafTable.JDBC_URL);
    if (!source.equals("jdbc-url")) {
      settings.without(source, OF_JDBC);
    }
    if (!source.equals(LeafTable.JDBC_URL)) {
      settings.without(source, LeafTable.KNOWN);
    }
    if (source.equals("url")) {
      return Opener.ofUrl(settings, Segment.class, "segment+sqlite:ids.db?tag=orders");
    }
    if (source.equals(LeafTable.JDBC_URL)) {
      String url = LeafTable.url(settings);
      return new Opener(settings, () -> Opener.open(settings, source, url));
    }
    if (!settings.has("tag")) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER, TYPE + " has jdbc-url and no tag: give it the property tag");
    }
    TagOptions options = options(settings);
    return new Opener(settings, () -> open(settings, options));
  }

  /** Returns the options with which the tag is created. */
  private static TagOptions options(Settings settings) {
    if (!settings.flag("create") && settings.has("start")) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          "property start of " + TYPE + " has no effect without create: true");
    }
    TagOptions usual = TagOptions.USUAL;
    long start = settings.number("start", 0, Snowmint.MAX_NUMBER - 1, usual.start());
    long step = settings.number("step", 1, Snowmint.MAX_STEP, usual.step());
    return usual.withStart(start).withStep(step);
  }

  private static Segment open(Settings settings, TagOptions options) {
    String tag = settings.text("tag");
    try {
      JdbcStore store = Opener.store(settings);
      if (settings.flag("create") && store.tag(tag).isEmpty()) {
        create(store, tag, options);
      }
      Segment.Builder builder = Segment.builder(store, tag);
      return (settings.has("step") ? builder.step(options.step()) : builder).open();
    } catch (SnowmintException failure) {
      throw Opener.refused(settings, failure);
    }
  }

  private static void create(JdbcStore store, String tag, TagOptions options) {
    try {
      store.createTag(tag, options);
    } catch (SnowmintException failure) {
      if (failure.code() != Code.TAG_EXISTS) { // Another process may have been first.
        throw failure;
      }
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
