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

// --8<-- [start:h2]
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "spring.datasource.url=jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")
class ShopTest {
  @Autowired Customers customers;
  @Autowired Invoices invoices;

  @Test
  void invoicesAreNumberedFromOne() {
    Invoice invoice = new Invoice();
    invoice.customer = customers.save(new Customer(null, "Ada"));
    assertEquals(1, invoices.save(invoice).id);
  }
  // --8<-- [end:h2]

  @Autowired Environment environment;
  @Autowired MeterRegistry meters;

  private RestClient client() {
    return RestClient.create("http://127.0.0.1:" + environment.getProperty("local.server.port"));
  }

  // --8<-- [start:preset]
  @Test
  void anIdThatIsSetIsKept() {
    assertEquals(7, customers.save(new Customer(7L, "imported")).id);
  }
  // --8<-- [end:preset]

  @Test
  void idsAreStringsInJson() {
    Customer ada = customers.save(new Customer(null, "Ada"));
    String json = client().get().uri("/customers/" + ada.id).retrieve().body(String.class);
    assertEquals("{\"id\":\"" + ada.id + "\",\"name\":\"Ada\"}", json);
    String receipt = client().post().uri("/receipts").retrieve().body(String.class);
    assertTrue(receipt.matches("\\{\"id\":\"\\d+\",\"ticket\":\\d+\\}"), receipt);
  }

  @Test
  void healthAndMetersShowTheSources() {
    String health = client().get().uri("/actuator/health").retrieve().body(String.class);
    assertTrue(health.contains("\"snowflake\":{\"kind\":\"snowflake\""), health);
    assertTrue(health.contains("\"Invoice.id\":{\"kind\":\"segment\""), health);
    // --8<-- [start:meter]
    assertEquals(
        1, meters.get("snowmint.source.ready").tag("source", "snowflake").gauge().value());
    // --8<-- [end:meter]
  }
}
