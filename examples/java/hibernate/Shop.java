package shop;

import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.TextForm;
import io.github.snowmint.hibernate.PublicIdConverter;
// --8<-- [start:imports]
import io.github.snowmint.hibernate.SnowmintId;
import io.github.snowmint.hibernate.SnowmintSegment;
import io.github.snowmint.hibernate.SnowmintSnowflake;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
// --8<-- [end:imports]
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

// --8<-- [start:entities]
@Entity(name = "Customer")
class Customer {
  @Id @SnowmintSnowflake(create = true) Long id; // a worker ID leased from this database
  String name;
}

@Entity(name = "Receipt")
class Receipt {
  @Id @SnowmintSegment(tag = "receipts", create = true) Long id; // 1, 2, 3, …
  @ManyToOne Customer customer;
}
// --8<-- [end:entities]

// --8<-- [start:url]
@Entity(name = "Ticket")
class Ticket {
  @Id @SnowmintId(url = "snowflake+sqlite:ids.db?create=true", form = TextForm.BASE32) String id;
}
// --8<-- [end:url]

// --8<-- [start:public]
class OrderIds extends PublicIdConverter {
  static final PublicIdKeys KEYS = PublicIdKeys.open("keys.toml");

  OrderIds() {
    super(KEYS.publicIds("order"));
  }
}

@Entity(name = "PublicOrder")
class PublicOrder {
  @Id @SnowmintSegment(tag = "public_orders", create = true) Long id;

  // JPA converts no @Id, so this is a second attribute on the same column.
  @Column(name = "id", insertable = false, updatable = false)
  @Convert(converter = OrderIds.class)
  String publicId;
}
// --8<-- [end:public]

public class Shop {
  public static void main(String[] arguments) {
    // --8<-- [start:configuration]
    Configuration configuration =
        new Configuration()
            .addAnnotatedClass(Customer.class)
            .addAnnotatedClass(Receipt.class)
            .addAnnotatedClass(Ticket.class)
            .addAnnotatedClass(PublicOrder.class)
            .setProperty("hibernate.connection.url", "jdbc:postgresql://localhost/shop")
            .setProperty("hibernate.hbm2ddl.auto", "create");
    // --8<-- [end:configuration]
    try (SessionFactory sessions = configuration.buildSessionFactory()) {
      // --8<-- [start:persist]
      sessions.inTransaction(
          session -> {
            Customer ada = new Customer();
            ada.name = "Ada";
            Receipt receipt = new Receipt();
            receipt.customer = ada;
            session.persist(ada);
            session.persist(receipt); // both have their IDs, and no row is written yet
            System.out.println("customer " + ada.id + ", receipt " + receipt.id);
          });
      // --8<-- [end:persist]
      // --8<-- [start:preset]
      sessions.inTransaction(
          session -> {
            Customer imported = new Customer();
            imported.id = 7L;
            session.persist(imported);
          });
      // --8<-- [end:preset]
      Ticket ticket = new Ticket();
      sessions.inTransaction(session -> session.persist(ticket));
      System.out.println("ticket " + ticket.id);
      PublicOrder order = new PublicOrder();
      sessions.inTransaction(session -> session.persist(order));
      String publicId = OrderIds.KEYS.publicIds("order").encode(order.id);
      sessions.inTransaction(
          session -> {
            // --8<-- [start:find]
            PublicOrder found =
                session
                    .createSelectionQuery(
                        "from PublicOrder where publicId = :publicId", PublicOrder.class)
                    .setParameter("publicId", publicId)
                    .getSingleResult();
            // --8<-- [end:find]
            System.out.println("order " + found.id);
          });
    }
  }
}
