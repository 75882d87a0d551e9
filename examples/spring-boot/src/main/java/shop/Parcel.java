package shop;

// --8<-- [start:parcel]
import io.github.snowmint.hibernate.SnowmintSegment;
import jakarta.persistence.Entity;
import jakarta.persistence.ForeignKey;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;

@Entity
public class Parcel {
  @Id
  @SnowmintSegment(tag = "parcels")
  public Long id; // 1, 2, 3, …

  @ManyToOne
  @JoinColumn(name = "customer_id", foreignKey = @ForeignKey(name = "parcel_customer"))
  public Customer customer;
}
// --8<-- [end:parcel]
