package shop;

// --8<-- [start:import]
import com.fasterxml.jackson.annotation.JsonFormat;
// --8<-- [end:import]
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

public class RawIds {
  // --8<-- [start:order]
  record Order(
      @JsonFormat(shape = JsonFormat.Shape.STRING) long id,
      @JsonFormat(shape = JsonFormat.Shape.STRING) List<Long> items,
      int count) {}
  // --8<-- [end:order]

  record Plain(long id, List<Long> items, int count) {}

  // --8<-- [start:global2]
  static com.fasterxml.jackson.databind.module.SimpleModule longs() {
    var strings = com.fasterxml.jackson.databind.ser.std.ToStringSerializer.instance;
    return new com.fasterxml.jackson.databind.module.SimpleModule("longs")
        .addSerializer(long.class, strings)
        .addSerializer(Long.class, strings);
  }
  // --8<-- [end:global2]

  // --8<-- [start:global3]
  static tools.jackson.databind.module.SimpleModule longs3() {
    var strings = tools.jackson.databind.ser.std.ToStringSerializer.instance;
    return new tools.jackson.databind.module.SimpleModule("longs")
        .addSerializer(long.class, strings)
        .addSerializer(Long.class, strings);
  }
  // --8<-- [end:global3]

  public static void main(String[] arguments) throws Exception {
    // --8<-- [start:json]
    ObjectMapper mapper = new ObjectMapper();
    String json = mapper.writeValueAsString(new Order(1541815603606036480L, List.of(7L, 8L), 2));
    System.out.println(json); // {"id":"1541815603606036480","items":["7","8"],"count":2}
    System.out.println(mapper.readValue(json, Order.class).id()); // 1541815603606036480
    // --8<-- [end:json]
    ObjectMapper all = new ObjectMapper().registerModule(longs());
    JsonMapper jackson3 = JsonMapper.builder().addModule(longs3()).build();
    Plain plain = new Plain(1541815603606036480L, List.of(7L, 8L), 2);
    System.out.println(all.writeValueAsString(plain).equals(json));
    System.out.println(all.readValue(json, Plain.class).equals(plain));
    System.out.println(jackson3.writeValueAsString(plain).equals(json));
    System.out.println(jackson3.readValue(json, Plain.class).equals(plain));
    long[] raw = {7, 8};
    System.out.println(all.writeValueAsString(raw).equals("[7,8]")); // numbers
    System.out.println(jackson3.writeValueAsString(raw).equals("[7,8]"));
    // The annotation holds for Jackson 3 as well.
    JsonMapper usual3 = JsonMapper.builder().build();
    System.out.println(usual3.writeValueAsString(usual3.readValue(json, Order.class)).equals(json));
  }
}
