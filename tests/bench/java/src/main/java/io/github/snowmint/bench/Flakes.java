package io.github.snowmint.bench;

import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.idgen.DefaultIdGenerator;
import com.tencent.devops.leaf.snowflake.SnowflakeIDGenImpl;
import com.xfvape.uid.impl.CachedUidGenerator;
import io.github.snowmint.IdSource;
import io.github.snowmint.Snowflake;
import java.util.Properties;
import java.util.UUID;
import java.util.function.LongSupplier;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.apache.curator.test.TestingServer;
import org.apache.shardingsphere.infra.algorithm.keygen.snowflake.SnowflakeKeyGenerateAlgorithm;

/**
 * Sources of IDs with a time: all in 41 bits of milliseconds, 10 of a worker and 12 of a sequence,
 * but Baidu's, whose sequence of 13 bits counts in a second. UUIDs of version 4 for comparison.
 */
public enum Flakes {
  FIXED("Snowflake.nextId", Kind.OURS) {
    @Override
    LongSupplier open(Resources resources) {
      var directory = resources.add(new Directory());
      var builder = Snowflake.builder().workerId(7).stateDirectory(directory.path);
      return resources.add(builder.open())::nextId;
    }
  },
  LEASED("Snowflake.nextId, leased worker ID", Kind.OURS) {
    @Override
    LongSupplier open(Resources resources) {
      var directory = resources.add(new Directory());
      String url = "snowflake+sqlite:" + directory.path.resolve("ids.db") + "?create=true";
      return resources.add(IdSource.open(url))::nextId;
    }
  },
  COSID("CosId", Kind.READS_CLOCK) {
    @Override
    LongSupplier open(Resources resources) {
      return new MillisecondSnowflakeId(1)::generate;
    }
  },
  LEAF("Leaf", Kind.READS_CLOCK) {
    @Override
    LongSupplier open(Resources resources) throws Exception {
      var zooKeeper = resources.add(new TestingServer());
      var leaf = new SnowflakeIDGenImpl(zooKeeper.getConnectString(), zooKeeper.getPort());
      return () -> Segments.Leaf.id(leaf.get("orders"));
    }
  },
  HUTOOL("Hutool", Kind.READS_CLOCK) {
    @Override
    LongSupplier open(Resources resources) {
      return new cn.hutool.core.lang.Snowflake(1, 1)::nextId;
    }
  },
  YITTER("yitter", Kind.READS_CLOCK) {
    @Override
    LongSupplier open(Resources resources) {
      var options = new IdGeneratorOptions((short) 1);
      options.WorkerIdBitLength = 10;
      options.SeqBitLength = 12;
      return new DefaultIdGenerator(options)::newLong;
    }
  },
  SHARDINGSPHERE("ShardingSphere", Kind.READS_CLOCK) {
    @Override
    LongSupplier open(Resources resources) {
      var algorithm = new SnowflakeKeyGenerateAlgorithm();
      algorithm.init(new Properties());
      return () -> algorithm.generateKeys(null, 1).iterator().next();
    }
  },
  BAIDU("Baidu, cached", Kind.READS_NO_CLOCK) {
    @Override
    LongSupplier open(Resources resources) throws Exception {
      var generator = new CachedUidGenerator();
      generator.setWorkerIdAssigner(() -> 1);
      generator.afterPropertiesSet();
      resources.add(generator::destroy);
      return generator::getUID;
    }
  },
  RANDOM_UUID("UUID.randomUUID", Kind.READS_NO_CLOCK) {
    @Override
    LongSupplier open(Resources resources) {
      return () -> UUID.randomUUID().getLeastSignificantBits();
    }
  };

  /** Tells our sources from those of others, which read the clock for each ID or not. */
  enum Kind {
    OURS,
    READS_CLOCK,
    READS_NO_CLOCK
  }

  final String label;
  final Kind kind;

  Flakes(String label, Kind kind) {
    this.label = label;
    this.kind = kind;
  }

  /** A function that mints one ID, with what it needs left to be closed by {@code resources}. */
  abstract LongSupplier open(Resources resources) throws Exception;
}
