package io.github.snowmint.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import io.github.snowmint.Code;
import io.github.snowmint.PublicIdForm;
import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** With mappers of Jackson 2. */
class PublicIdsTest {
  private static final long ID = 1541815603606036480L;

  record Order(@PublicId("order") long id, @PublicId("user") Long buyer, long raw) {}

  record Many(@PublicId("order") List<Long> list, @PublicId("order") Long[] array) {}

  record Forms(
      @PublicId(value = "order", form = PublicIdForm.UUID) long uuid,
      @PublicId(value = "order", form = PublicIdForm.NUMBER53) long number) {}

  record Wrong(@PublicId("order") int id) {}

  record Primitives(@PublicId("order") long[] ids) {}

  record Values(@PublicId("order") Map<String, Long> ids) {}

  record WrongType(@PublicId("Order") long id) {}

  /** With a getter and a setter. */
  static final class Bean {
    private long id;

    @PublicId("order")
    public long getId() {
      return id;
    }

    public void setId(long id) {
      this.id = id;
    }
  }

  /** With a creator. */
  static final class Made {
    final long id;

    @JsonCreator
    Made(@JsonProperty("id") @PublicId("order") long id) {
      this.id = id;
    }
  }

  static final List<Object> WRONG =
      List.of(
          new Wrong(1),
          new Primitives(new long[1]),
          new Values(Map.of("first", 1L)),
          new WrongType(1));

  private final PublicIdKeys keys = PublicIdKeys.generate();
  private final PublicIds orders = keys.publicIds("order");
  private final PublicIds users = keys.publicIds("user");
  private final ObjectMapper mapper = new ObjectMapper().registerModule(new PublicIdModule(keys));

  static String json(String id, String buyer) {
    return "{\"id\":%s,\"buyer\":%s,\"raw\":7}".formatted(id, buyer);
  }

  static String quoted(String text) {
    return '"' + text + '"';
  }

  @Test
  void annotatedIdsArePublic() throws Exception {
    String json = json(quoted(orders.encode(ID)), quoted(users.encode(-1)));
    assertEquals(json, mapper.writeValueAsString(new Order(ID, -1L, 7)));
    assertEquals(new Order(ID, -1L, 7), mapper.readValue(json, Order.class));
    Bean bean = mapper.readValue("{\"id\":" + quoted(orders.encode(ID)) + "}", Bean.class);
    assertEquals(ID, bean.getId());
    assertEquals("{\"id\":" + quoted(orders.encode(ID)) + "}", mapper.writeValueAsString(bean));
  }

  @Test
  void withoutTheModuleTheyAreRaw() throws Exception {
    assertEquals(json("" + ID, "7"), new ObjectMapper().writeValueAsString(new Order(ID, 7L, 7)));
  }

  @Test
  void many() throws Exception {
    String both = "[" + quoted(orders.encode(1)) + "," + quoted(orders.encode(2)) + "]";
    String json = "{\"list\":" + both + ",\"array\":" + both + "}";
    Many many = new Many(List.of(1L, 2L), new Long[] {1L, 2L});
    assertEquals(json, mapper.writeValueAsString(many));
    assertEquals(many.list(), mapper.readValue(json, Many.class).list());
    assertEquals(2, mapper.readValue(json, Many.class).array()[1]);
  }

  @Test
  void forms() throws Exception {
    PublicIds uuids = keys.publicIds("order", PublicIdForm.UUID);
    PublicIds numbers = keys.publicIds("order", PublicIdForm.NUMBER53);
    String json = mapper.writeValueAsString(new Forms(ID, 7));
    assertEquals(
        "{\"uuid\":" + quoted(uuids.encode(ID)) + ",\"number\":" + quoted(numbers.encode(7)) + "}",
        json);
    assertEquals(new Forms(ID, 7), mapper.readValue(json, Forms.class));
    JsonMappingException wide =
        assertThrows(
            JsonMappingException.class, () -> mapper.writeValueAsString(new Forms(1, -1)));
    assertEquals(Code.INVALID_PARAMETER, code(wide));
  }

  static Code code(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null && !(cause instanceof SnowmintException)) {
      cause = cause.getCause();
    }
    return assertInstanceOf(SnowmintException.class, cause).code();
  }

  @Test
  void otherTextsAreRefused() {
    String order = orders.encode(ID);
    String made = "order_1" + "0".repeat(26);
    Object[][] cases = {
      {users.encode(ID), Code.WRONG_TYPE},
      {made, Code.NOT_FOUND},
      {order.toUpperCase(), Code.TEXT_NOT_CANONICAL},
      {order + "0", Code.TEXT_LENGTH},
      {"", Code.WRONG_TYPE},
    };
    for (Object[] row : cases) {
      String json = json(quoted((String) row[0]), "null");
      InvalidFormatException error =
          assertThrows(InvalidFormatException.class, () -> mapper.readValue(json, Order.class));
      assertEquals(row[1], code(error), json);
      assertEquals("id", error.getPath().get(0).getFieldName());
    }
  }

  private void assertNoText(String json) {
    InvalidFormatException error =
        assertThrows(
            InvalidFormatException.class, () -> mapper.readValue(json, Order.class), json);
    assertEquals(Code.INVALID_PARAMETER, code(error), json);
    assertTrue(error.getMessage().contains("a public ID is a string"), error.getMessage());
    assertEquals("id", error.getPath().get(0).getFieldName());
  }

  @Test
  void whatIsNoTextIsRefused() throws Exception {
    for (String id : Set.of("7", "7.5", "true", "{}", "[]", "null")) {
      assertNoText(json(id, "null"));
    }
    assertNoText("{\"raw\":7}");
    assertNull(mapper.readValue(json(quoted(orders.encode(1)), "null"), Order.class).buyer());
  }

  /** Jackson asks for the value of a missing member only if it is a creator's parameter. */
  @Test
  void aLongThatIsMissing() throws Exception {
    InvalidFormatException error =
        assertThrows(InvalidFormatException.class, () -> mapper.readValue("{}", Made.class));
    assertEquals(Code.INVALID_PARAMETER, code(error));
    assertEquals("id", error.getPath().get(0).getFieldName());
    assertEquals(0, mapper.readValue("{}", Bean.class).getId());
  }

  @Test
  void membersThatHoldNoIdAreRefused() {
    for (Object wrong : WRONG) {
      Exception error = assertThrows(Exception.class, () -> mapper.writeValueAsString(wrong));
      assertEquals(Code.INVALID_PARAMETER, code(error), error::toString);
      assertFalse(error.getMessage().contains("[J"), error.getMessage());
      String member = "PublicIdsTest$" + wrong.getClass().getSimpleName() + "#id";
      assertTrue(error.getMessage().contains(member), error.getMessage());
    }
    assertThrows(SnowmintException.class, () -> new PublicIdModule(null));
    assertFalse(mapper.getRegisteredModuleIds().isEmpty());
  }
}
