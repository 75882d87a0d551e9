package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

// --8<-- [start:h2]
@SpringBootTest(properties = "spring.datasource.url=jdbc:h2:mem:invoices;DB_CLOSE_DELAY=-1")
class InvoicesTest {
  @Autowired Customers customers;
  @Autowired Invoices invoices;

  @Test
  void invoicesAreNumberedFromOne() {
    Invoice invoice = new Invoice();
    invoice.customer = customers.save(new Customer());
    assertEquals(1, invoices.save(invoice).id);
  }
}
// --8<-- [end:h2]
