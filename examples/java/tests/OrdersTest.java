package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

// --8<-- [start:imports]
import io.github.snowmint.Layout;
import io.github.snowmint.Segment;
import io.github.snowmint.SequenceStart;
import io.github.snowmint.engine.Lane;
import io.github.snowmint.engine.Snowflake;
// --8<-- [end:imports]
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.junit.jupiter.api.Test;

// --8<-- [start:orders]
class OrdersTest {
  // JUnit creates an object for each test, so each has another store.
  private final String store = "memory:" + UUID.randomUUID();

  @Test
  void ordersAreNumberedFromOne() {
    try (Segment orders = Segment.open("segment+" + store + "?tag=orders")) {
      assertEquals(1, orders.nextId());
    }
  }

  @Test
  void aFixedClockGivesExactIds() {
    Clock clock = Clock.fixed(Instant.ofEpochMilli(1_656_432_460_105L), ZoneOffset.UTC);
    Snowflake machine = new Snowflake(Layout.TWITTER, Lane.of(378), 0, SequenceStart.ZERO);
    assertEquals(1541815603606036480L, machine.nextId(clock.millis()));
  }
}
// --8<-- [end:orders]
