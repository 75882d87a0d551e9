package io.github.snowmint.shardingsphere;

import java.util.Collection;
import java.util.Properties;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;
import org.apache.shardingsphere.infra.spi.type.typed.TypedSPILoader;

/** Key generators as ShardingSphere finds and calls them. */
final class Generators {
  private Generators() {}

  static Properties properties(Object... pairs) {
    Properties properties = new Properties();
    for (int at = 0; at < pairs.length; at += 2) {
      properties.put(pairs[at], pairs[at + 1]);
    }
    return properties;
  }

  static Generator open(String type, Object... pairs) {
    return (Generator)
        TypedSPILoader.getService(KeyGenerateAlgorithm.class, type, properties(pairs));
  }

  static Collection<? extends Comparable<?>> keys(KeyGenerateAlgorithm generator, int count) {
    AlgorithmSQLContext context = new AlgorithmSQLContext("db", "public", "t_order", "order_id");
    return generator.generateKeys(context, count);
  }

  static long key(KeyGenerateAlgorithm generator) {
    return (Long) keys(generator, 1).iterator().next();
  }
}
