package io.github.snowmint.bench;

import io.github.snowmint.PublicIdForm;
import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.PublicIds;
import java.util.List;
import java.util.UUID;
import org.hashids.Hashids;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.sqids.Sqids;

/** Public forms of IDs, beside what else makes a text of a number. */
@State(Scope.Benchmark)
public class PublicIdForms {
  private static final int COUNT = 1024;

  private final PublicIdKeys keys = PublicIdKeys.generate();
  private final PublicIds orders = keys.publicIds("order");
  private final PublicIds uuids = keys.publicIds("order", PublicIdForm.UUID);
  private final PublicIds numbers = keys.publicIds("order", PublicIdForm.NUMBER63);
  private final Hashids hashids = new Hashids("salt");
  private final Sqids sqids = Sqids.builder().build();
  private final String[] tokens = new String[COUNT];
  private long handle = 7;
  private long id = 1_541_815_603_606_036_480L;
  private int at;

  public PublicIdForms() {
    for (int n = 0; n < COUNT; n++) {
      tokens[n] = orders.encode(id + n);
    }
  }

  @Benchmark
  public String floor() {
    return Floors.text(handle, id++);
  }

  @Benchmark
  public String token() {
    return orders.encode(id++);
  }

  @Benchmark
  public long read() {
    return orders.decode(tokens[at++ & COUNT - 1]);
  }

  @Benchmark
  public String uuid() {
    return uuids.encode(id++);
  }

  @Benchmark
  public String number() {
    return numbers.encode(id++);
  }

  /** Encodes shorter IDs, as Hashids takes no more than 53 bits. */
  @Benchmark
  public String hashids() {
    return hashids.encode(id++ >> 10);
  }

  @Benchmark
  public String sqids() {
    return sqids.encode(List.of(id++));
  }

  @Benchmark
  public String random() {
    return UUID.randomUUID().toString();
  }
}
