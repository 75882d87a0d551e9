package io.github.snowmint.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Allocation;
import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.Segment;
import io.github.snowmint.SegmentStore;
import io.github.snowmint.Snowflake;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.Store;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the meters show while a store fails. */
class MetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private void watch(IdSource source) {
    Sources sources = new Sources(Map.of("orders", source), new OpenedSources());
    new SnowmintMeters().snowmintMeterBinder(sources).bindTo(registry);
  }

  private double meter(String name) {
    return registry.get("snowmint." + name).tag("source", "orders").gauge().value();
  }

  /** A store that gives 10 numbers, and then fails with a code until that is null. */
  private static SegmentStore failingWith(AtomicReference<Code> failure) {
    return (tag, count) -> {
      Code code = failure.get();
      if (code != null) {
        throw new SnowmintException(code, "as it stands");
      }
      failure.set(Code.INCARNATION_CHANGED);
      return new Allocation(1, 11, 1, 10);
    };
  }

  /** Asks until the store has answered. */
  private static void assertFails(Segment orders, Code code) {
    Code failed = Code.WAIT_TIMEOUT;
    while (failed == Code.WAIT_TIMEOUT) {
      failed =
          assertThrows(SnowmintException.class, () -> orders.nextIdWithin(Duration.ZERO)).code();
    }
    assertEquals(code, failed);
  }

  @Test
  void afterAFailoverASegmentIsFenced() {
    AtomicReference<Code> failure = new AtomicReference<>();
    try (Segment orders = Segment.builder(failingWith(failure), "orders").step(10).open()) {
      watch(orders);
      orders.nextIds(10);
      assertFails(orders, Code.INCARNATION_CHANGED);
      assertEquals(1, meter("source.fenced"));
      assertEquals(Code.INCARNATION_CHANGED.number(), meter("source.failure.code"));
      assertEquals(0, meter("source.store.up"));
      assertEquals(0, meter("source.ready"));
      assertEquals(11, meter("tag.next"));
    }
  }

  @Test
  void anOutageFencesNothing() {
    AtomicReference<Code> failure = new AtomicReference<>(Code.STORE_UNAVAILABLE);
    try (Segment orders = Segment.builder(failingWith(failure), "orders").step(10).open()) {
      watch(orders);
      assertTrue(Double.isNaN(meter("tag.next")));
      assertFails(orders, Code.STORE_UNAVAILABLE);
      assertEquals(0, meter("source.fenced"));
      assertEquals(Code.STORE_UNAVAILABLE.number(), meter("source.failure.code"));
      assertEquals(0, meter("source.store.up"));
    }
  }

  @Test
  void aSnowflakeWithoutAFailureTellsItsReservation() {
    try (Snowflake flake = Snowflake.builder().leaseFrom(Store.memory()).open()) {
      watch(flake);
      assertEquals(0, meter("source.fenced"));
      assertEquals(0, meter("source.failure.code"));
      assertEquals(1, meter("source.store.up"));
      assertTrue(meter("source.reserve") > 0);
    }
  }
}
