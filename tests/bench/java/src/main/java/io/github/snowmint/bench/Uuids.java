package io.github.snowmint.bench;

import io.github.snowmint.UuidSource;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** UUIDs, one at a time. */
@State(Scope.Benchmark)
public class Uuids {
  private final UuidSource random = UuidSource.of(4);
  private final UuidSource timed = UuidSource.of(7);

  @Benchmark
  public UUID version4() {
    return random.nextUuid();
  }

  @Benchmark
  public UUID version7() {
    return timed.nextUuid();
  }

  @Benchmark
  public UUID java() {
    return UUID.randomUUID();
  }
}
