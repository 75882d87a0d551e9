package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.snowmint.Code;
import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.testing.DatabaseServer;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

class PublicIdConverterTest {
  private static final PublicIds ORDERS = PublicIdKeys.generate().publicIds("order");

  /** The converter of order IDs. */
  static final class OrderIds extends PublicIdConverter {
    OrderIds() {
      super(ORDERS);
    }
  }

  @Entity(name = "PublicOrder")
  static class PublicOrder {
    @Id
    @SnowmintSegment(tag = "public_orders", create = true)
    Long id;

    @Column(name = "id", insertable = false, updatable = false)
    @Convert(converter = OrderIds.class)
    String publicId;

    @Convert(converter = OrderIds.class)
    String replaces;
  }

  private static List<PublicOrder> byPublicId(SessionFactory sessions, String publicId) {
    return sessions.fromTransaction(
        session ->
            session
                .createSelectionQuery(
                    "from PublicOrder where publicId = :publicId", PublicOrder.class)
                .setParameter("publicId", publicId)
                .list());
  }

  @Test
  void theDatabaseHasTheRawIds() throws Exception {
    try (DatabaseServer server = DatabaseServer.postgres();
        SessionFactory sessions = Sessions.of(server, PublicOrder.class)) {
      sessions.inTransaction(
          session -> {
            PublicOrder first = new PublicOrder();
            session.persist(first);
            PublicOrder second = new PublicOrder();
            second.replaces = ORDERS.encode(first.id);
            session.persist(second);
          });
      PublicOrder first = byPublicId(sessions, ORDERS.encode(1)).get(0);
      assertEquals(1, first.id);
      assertEquals(ORDERS.encode(1), first.publicId);
      assertNull(first.replaces);
      assertEquals(List.of(), byPublicId(sessions, ORDERS.encode(3)));
      List<Long> raw =
          sessions.fromTransaction(
              session ->
                  session
                      .createNativeQuery(
                          "select replaces from PublicOrder where id = 2", Long.class)
                      .list());
      assertEquals(List.of(1L), raw);
      Throwable error =
          assertThrows(
              Exception.class, () -> byPublicId(sessions, "order_1" + "0".repeat(26)));
      while (error.getCause() != null) {
        error = error.getCause();
      }
      assertEquals(Code.NOT_FOUND, assertInstanceOf(SnowmintException.class, error).code());
    }
  }

  @Test
  void itNeedsPublicIds() {
    assertThrows(SnowmintException.class, () -> new PublicIdConverter(null) {});
  }
}
