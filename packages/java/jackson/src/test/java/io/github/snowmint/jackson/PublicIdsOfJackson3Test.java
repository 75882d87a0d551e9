package io.github.snowmint.jackson;

import static io.github.snowmint.jackson.PublicIdsTest.code;
import static io.github.snowmint.jackson.PublicIdsTest.json;
import static io.github.snowmint.jackson.PublicIdsTest.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Code;
import io.github.snowmint.PublicIdForm;
import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.jackson.PublicIdsTest.Bean;
import io.github.snowmint.jackson.PublicIdsTest.Forms;
import io.github.snowmint.jackson.PublicIdsTest.Made;
import io.github.snowmint.jackson.PublicIdsTest.Many;
import io.github.snowmint.jackson.PublicIdsTest.Order;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.json.JsonMapper;

/** As {@link PublicIdsTest}, with mappers of Jackson 3. */
class PublicIdsOfJackson3Test {
  private static final long ID = 1541815603606036480L;

  private final PublicIdKeys keys = PublicIdKeys.generate();
  private final PublicIds orders = keys.publicIds("order");
  private final PublicIds users = keys.publicIds("user");
  private final JsonMapper mapper =
      JsonMapper.builder().addModule(new PublicIdJacksonModule(keys)).build();

  @Test
  void annotatedIdsArePublic() {
    String json = json(quoted(orders.encode(ID)), quoted(users.encode(-1)));
    assertEquals(json, mapper.writeValueAsString(new Order(ID, -1L, 7)));
    assertEquals(new Order(ID, -1L, 7), mapper.readValue(json, Order.class));
    Bean bean = mapper.readValue("{\"id\":" + quoted(orders.encode(ID)) + "}", Bean.class);
    assertEquals(ID, bean.getId());
    assertEquals("{\"id\":" + quoted(orders.encode(ID)) + "}", mapper.writeValueAsString(bean));
  }

  @Test
  void many() {
    String both = "[" + quoted(orders.encode(1)) + "," + quoted(orders.encode(2)) + "]";
    Many many = new Many(List.of(1L, 2L), new Long[] {1L, 2L});
    String json = mapper.writeValueAsString(many);
    assertEquals("{\"list\":" + both + ",\"array\":" + both + "}", json);
    assertEquals(many.list(), mapper.readValue(json, Many.class).list());
    assertEquals(2, mapper.readValue(json, Many.class).array()[1]);
  }

  @Test
  void forms() {
    PublicIds uuids = keys.publicIds("order", PublicIdForm.UUID);
    String json = mapper.writeValueAsString(new Forms(ID, 7));
    assertTrue(json.contains("\"uuid\":" + quoted(uuids.encode(ID))), json);
    assertEquals(new Forms(ID, 7), mapper.readValue(json, Forms.class));
    DatabindException wide =
        assertThrows(DatabindException.class, () -> mapper.writeValueAsString(new Forms(1, -1)));
    assertEquals(Code.INVALID_PARAMETER, code(wide));
  }

  private void assertRefused(Code code, String json) {
    InvalidFormatException error =
        assertThrows(
            InvalidFormatException.class, () -> mapper.readValue(json, Order.class), json);
    assertEquals(code, code(error), json);
    assertEquals("id", error.getPath().get(0).getPropertyName());
  }

  @Test
  void whatIsNoPublicIdIsRefused() {
    assertRefused(Code.WRONG_TYPE, json(quoted(users.encode(ID)), "null"));
    assertRefused(Code.NOT_FOUND, json(quoted("order_1" + "0".repeat(26)), "null"));
    for (String id : Set.of("7", "7.5", "true", "{}", "[]", "null")) {
      assertRefused(Code.INVALID_PARAMETER, json(id, "null"));
    }
    assertRefused(Code.INVALID_PARAMETER, "{\"raw\":7}");
    assertNull(mapper.readValue(json(quoted(orders.encode(1)), "null"), Order.class).buyer());
  }

  @Test
  void aLongThatIsMissing() {
    InvalidFormatException error =
        assertThrows(InvalidFormatException.class, () -> mapper.readValue("{}", Made.class));
    assertEquals(Code.INVALID_PARAMETER, code(error));
    assertEquals("id", error.getPath().get(0).getPropertyName());
    assertEquals(0, mapper.readValue("{}", Bean.class).getId());
  }

  @Test
  void membersThatHoldNoIdAreRefused() {
    for (Object wrong : PublicIdsTest.WRONG) {
      Exception error = assertThrows(Exception.class, () -> mapper.writeValueAsString(wrong));
      assertEquals(Code.INVALID_PARAMETER, code(error), error::toString);
      assertFalse(error.getMessage().contains("[J"), error.getMessage());
      String member = "PublicIdsTest$" + wrong.getClass().getSimpleName() + "#id";
      assertTrue(error.getMessage().contains(member), error.getMessage());
    }
    assertThrows(SnowmintException.class, () -> new PublicIdJacksonModule(null));
    assertSame(keys, new PublicIdJacksonModule(keys).keys());
  }
}
