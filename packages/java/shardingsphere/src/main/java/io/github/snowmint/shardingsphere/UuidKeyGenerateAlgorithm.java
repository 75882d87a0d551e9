package io.github.snowmint.shardingsphere;

import io.github.snowmint.UuidSource;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;

/**
 * {@code SNOWMINT_UUID}: UUIDs as 32 lower-case hexadecimal digits, as {@code UUID} writes them.
 *
 * <p>Set {@code version} to 4 (random, the default) or 7 (by time: the keys of a process rise, and
 * new rows lie together in an index). Or set {@code url}: {@code uuid:?version=7}. Nothing is
 * reserved, and nothing waits.
 */
public final class UuidKeyGenerateAlgorithm extends Generator {
  static final String TYPE = "SNOWMINT_UUID";

  /** Creates a generator without a source, for ShardingSphere to call. */
  public UuidKeyGenerateAlgorithm() {}

  @Override
  Opener read(Properties properties) {
    Settings settings = new Settings(TYPE, properties, List.of("version", "url"));
    if (settings.has("url")) {
      settings.without("url", List.of("version"));
      return Opener.ofUrl(settings, UuidSource.class, "uuid:?version=7");
    }
    int version =
        switch (settings.text("version", "4")) {
          case "4" -> 4;
          case "7" -> 7;
          default -> throw settings.invalid("version", "4 or 7");
        };
    return new Opener(settings, () -> UuidSource.of(version));
  }

  @Override
  public Collection<String> generateKeys(AlgorithmSQLContext context, int keyGenerateCount) {
    return mint(
        source ->
            Stream.generate(source::nextUuid)
                .limit(keyGenerateCount)
                .map(UuidKeyGenerateAlgorithm::digits)
                .toList());
  }

  private static String digits(UUID uuid) {
    return uuid.toString().replace("-", "");
  }

  @Override
  public String getType() {
    return TYPE;
  }
}
