package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.web.client.RestClient;

/** The running application. */
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "spring.datasource.url=jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")
class ShopTest {
  @Autowired Customers customers;
  @Autowired MeterRegistry meters;
  @Autowired Environment environment;

  private RestClient client() {
    return RestClient.create("http://127.0.0.1:" + environment.getProperty("local.server.port"));
  }

  @Test
  void anIdThatIsSetIsKept() {
    // --8<-- [start:preset]
    Customer imported = new Customer();
    imported.id = 7L;
    assertEquals(7, customers.save(imported).id);
    // --8<-- [end:preset]
  }

  @Test
  void idsAreStringsInJson() {
    Customer ada = new Customer();
    ada.name = "Ada";
    ada = customers.save(ada);
    String json = client().get().uri("/customers/" + ada.id).retrieve().body(String.class);
    assertEquals("{\"id\":\"" + ada.id + "\",\"name\":\"Ada\"}", json);
    String receipt = client().post().uri("/receipts").retrieve().body(String.class);
    assertTrue(receipt.matches("\\{\"id\":\"\\d+\",\"ticket\":\\d+\\}"), receipt);
  }

  @Test
  void healthAndMetersShowTheSources() {
    String health = client().get().uri("/actuator/health").retrieve().body(String.class);
    assertTrue(health.contains("\"snowflake\":{\"kind\":\"snowflake\""), health);
    assertTrue(health.contains("\"Parcel.id\":{\"kind\":\"segment\""), health);
    // --8<-- [start:meter]
    assertEquals(
        1, meters.get("snowmint.source.ready").tag("source", "snowflake").gauge().value());
    // --8<-- [end:meter]
  }
}
