package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

// --8<-- [start:h2]
@SpringBootTest(properties = "spring.datasource.url=jdbc:h2:mem:tickets;DB_CLOSE_DELAY=-1")
class TicketsTest {
  @Autowired Customers customers;
  @Autowired Tickets tickets;

  @Test
  void ticketsAreNumberedFromOne() {
    Ticket ticket = new Ticket();
    ticket.customer = customers.save(new Customer());
    assertEquals(1, tickets.save(ticket).id);
  }
}
// --8<-- [end:h2]
