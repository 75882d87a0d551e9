package shop;

import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.PublicIds;
import io.github.snowmint.SnowmintException;

class PublicTexts {
  public static void main(String[] arguments) {
    // --8<-- [start:public]
    PublicIdKeys keys = PublicIdKeys.generate(); // in a service: PublicIdKeys.open("keys.toml")
    PublicIds orders = keys.publicIds("order");
    String token = orders.encode(1541815603606036480L); // order_1 and 26 more symbols
    System.out.println(orders.decode(token)); // 1541815603606036480
    try {
      keys.publicIds("user").decode(token);
    } catch (SnowmintException error) {
      System.out.println(error.code()); // WRONG_TYPE
    }
    // --8<-- [end:public]
  }
}
