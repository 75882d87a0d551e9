package shop;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ShopController {
  private final Customers customers;
  private final Snowflake flake;
  private final Segment tickets;

  ShopController(Customers customers, Snowflake flake, Segment tickets) {
    this.customers = customers;
    this.flake = flake;
    this.tickets = tickets;
  }

  @GetMapping("/customers/{id}")
  Customer customer(@PathVariable long id) {
    return customers.findById(id).orElseThrow();
  }

  // --8<-- [start:receipt]
  record Receipt(@JsonFormat(shape = JsonFormat.Shape.STRING) long id, long ticket) {}

  @PostMapping("/receipts")
  Receipt receipt() {
    return new Receipt(flake.nextId(), tickets.nextId());
  }
  // --8<-- [end:receipt]
}
