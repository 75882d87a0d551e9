package shop;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.jackson.PublicId;
import io.github.snowmint.jackson.PublicIdModule;
import io.github.snowmint.jackson.PublicIdJacksonModule;
import tools.jackson.databind.json.JsonMapper;

public class Shop {
  // --8<-- [start:order]
  record Order(@PublicId("order") long id, @PublicId("user") Long buyer, String item) {}
  // --8<-- [end:order]

  public static void main(String[] arguments) throws Exception {
    // --8<-- [start:keys]
    PublicIdKeys keys = PublicIdKeys.open("keys.toml"); // or "env:"
    // --8<-- [end:keys]
    // --8<-- [start:jackson2]
    ObjectMapper mapper = new ObjectMapper().registerModule(new PublicIdModule(keys));
    // --8<-- [end:jackson2]
    // --8<-- [start:json]
    Order order = new Order(1541815603606036480L, 7L, "tea");
    String json = mapper.writeValueAsString(order);
    System.out.println(json); // {"id":"order_1…","buyer":"user_1…","item":"tea"}
    System.out.println(mapper.readValue(json, Order.class).id()); // 1541815603606036480
    // --8<-- [end:json]
    // --8<-- [start:jackson3]
    JsonMapper jackson3 = JsonMapper.builder().addModule(new PublicIdJacksonModule(keys)).build();
    // --8<-- [end:jackson3]
    System.out.println(jackson3.writeValueAsString(order).equals(json));
  }
}
