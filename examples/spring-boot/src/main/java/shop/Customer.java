package shop;

// --8<-- [start:customer]
import io.github.snowmint.hibernate.SnowmintSnowflake;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Customer {
  @Id @SnowmintSnowflake public Long id;
  public String name;
}
// --8<-- [end:customer]
