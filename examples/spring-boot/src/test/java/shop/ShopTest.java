package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.web.client.RestClient;

/** The running application. */
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "spring.datasource.url=jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1",
      "management.prometheus.metrics.export.enabled=true" // off in tests unless set
    })
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
    assertProbes();
    assertPrometheus();
  }

  private String get(String path) {
    return client().get().uri(path).retrieve().body(String.class);
  }

  /** Only readiness depends on the sources: a restart of the process would mend nothing. */
  private void assertProbes() {
    assertTrue(get("/actuator/health/readiness").contains("\"snowmint\""));
    assertFalse(get("/actuator/health/liveness").contains("\"snowmint\""));
  }

  /** The names that alerts use. */
  private void assertPrometheus() {
    String metrics = get("/actuator/prometheus");
    for (String name :
        List.of("ready", "store_up", "fenced", "failure_code", "runway_seconds", "reserve_seconds",
            "worker_id", "clock_offset_seconds")) {
      String sample = "snowmint_source_" + name + "{source=\"snowflake\"}";
      assertTrue(metrics.contains(sample), () -> sample + " in " + metrics);
    }
    assertTrue(metrics.contains("snowmint_source_at_hand{source=\"Parcel.id\"}"), metrics);
    assertTrue(metrics.contains("snowmint_tag_next{source=\"Parcel.id\"}"), metrics);
  }
}
