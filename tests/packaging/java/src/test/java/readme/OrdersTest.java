package readme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.snowmint.*;
import io.github.snowmint.engine.Lane;
import java.time.*;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OrdersTest {
  // JUnit creates an object for each test, and so another store.
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
    var machine =
        new io.github.snowmint.engine.Snowflake(
            Layout.TWITTER, Lane.of(378), 0, SequenceStart.ZERO);
    assertEquals(1541815603606036480L, machine.nextId(clock.millis()));
  }
}
