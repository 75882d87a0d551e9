package io.github.snowmint.bench;

import io.github.snowmint.Layout;
import io.github.snowmint.Parts;
import io.github.snowmint.PartsColumns;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeIdStateParser;
import me.ahoo.cosid.snowflake.SnowflakeIdState;
import me.ahoo.cosid.snowflake.SnowflakeIdStateParser;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** IDs taken apart. */
@State(Scope.Thread)
public class Decoding {
  private final long[] ids = new long[Bulk.BLOCK];
  private final SnowflakeIdStateParser cosid =
      MillisecondSnowflakeIdStateParser.of(new MillisecondSnowflakeId(1));
  private int at;

  public Decoding() {
    for (int n = 0; n < ids.length; n++) {
      ids[n] = 1_541_815_603_606_036_480L + ((long) n << 22);
    }
  }

  private long next() {
    return ids[at++ & (Bulk.BLOCK - 1)];
  }

  @Benchmark
  public Parts one() {
    return Layout.TWITTER.decode(next());
  }

  @Benchmark
  @OperationsPerInvocation(Bulk.BLOCK)
  public PartsColumns many() {
    return Layout.TWITTER.decode(ids);
  }

  @Benchmark
  public SnowflakeIdState cosid() {
    return cosid.parse(next());
  }
}
