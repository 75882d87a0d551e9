package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The names that logs, debuggers and dumps show. */
class NamesTest {
  @Test
  void sourcesAndStoresSayWhatTheyAre() {
    Store store = Store.memory();
    store.ensureTag("orders");
    assertEquals("Store[memory]", store.toString());
    JdbcDataSource database = new JdbcDataSource();
    database.setPassword("S3CRET");
    assertEquals("JdbcStore[JdbcDataSource]", new JdbcStore(database).toString());
    Snowflake flake = Snowflake.builder().leaseFrom(store).open();
    long workerId = flake.stats().workerId().getAsLong();
    String said = flake.toString();
    assertTrue(said.startsWith("Snowflake[snowflake, workerId=" + workerId + ", reserved"), said);
    flake.close();
    assertTrue(flake.toString().endsWith(", closed]"), flake::toString);
    try (Segment orders = Segment.builder(store, "orders").step(10).prefetch(1).open()) {
      orders.nextId();
      assertTrue(orders.toString().startsWith("Segment[segment, left="), orders::toString);
    }
    try (Sequences chats = Sequences.builder(store, "chats").open()) {
      assertTrue(chats.toString().startsWith("Sequences[sequences"), chats::toString);
    }
    assertEquals("UuidSource[uuid]", UuidSource.of(7).toString());
  }

  @Test
  void threadsHaveNames() {
    Queue<String> callers = new ConcurrentLinkedQueue<>();
    AtomicLong next = new AtomicLong(1);
    SegmentStore store =
        (tag, count) -> {
          callers.add(Thread.currentThread().getName());
          long start = next.getAndAdd(count.orElse(10));
          return Allocation.of(start, start + count.orElse(10));
        };
    try (Segment orders = Segment.builder(store, "orders").step(1).open()) {
      orders.nextIds(100);
    }
    assertTrue(callers.stream().anyMatch(name -> name.startsWith("snowmint")), callers::toString);
    assertFalse(callers.stream().anyMatch(name -> name.startsWith("Thread-")), callers::toString);
  }

  @Test
  void packagesSayWhatMayBeNull() {
    for (Class<?> type : new Class<?>[] {Snowmint.class, JdbcStore.class}) {
      assertTrue(type.getPackage().isAnnotationPresent(NullMarked.class), type::getName);
    }
  }
}
