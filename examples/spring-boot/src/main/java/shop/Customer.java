package shop;

import io.github.snowmint.hibernate.SnowmintSnowflake;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

// --8<-- [start:customer]
@Entity
public class Customer {
  @Id @SnowmintSnowflake public Long id;
  public String name;
}
// --8<-- [end:customer]
