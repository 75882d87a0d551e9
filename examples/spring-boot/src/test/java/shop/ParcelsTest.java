package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

// --8<-- [start:h2]
@SpringBootTest(properties = "spring.datasource.url=jdbc:h2:mem:parcels;DB_CLOSE_DELAY=-1")
class ParcelsTest {
  @Autowired Customers customers;
  @Autowired Parcels parcels;

  @Test
  void parcelsAreNumberedFromOne() {
    Parcel parcel = new Parcel();
    parcel.customer = customers.save(new Customer());
    assertEquals(1, parcels.save(parcel).id);
  }
}
// --8<-- [end:h2]
