package shop;

import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.snowmint.Snowflake;
import io.github.snowmint.jackson.PublicId;
import io.github.snowmint.mybatis.SnowmintId;
import org.apache.ibatis.annotations.Mapper;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application that has the starter, and configures nothing, but to do without JPA. */
@SpringBootApplication(
    excludeName = {
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
      "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration"
    })
public class Shop {
  @TableName("orders")
  public static class Order {
    public Long id;
    public String text;
    @SnowmintId public Long number;
  }

  /** As its readers see it. */
  public record Receipt(@PublicId("order") long id) {}

  @Mapper
  public interface Orders extends BaseMapper<Order> {}

  @RestController
  static class Desk {
    private final ObjectProvider<Snowflake> flake;

    Desk(ObjectProvider<Snowflake> flake) {
      this.flake = flake;
    }

    @GetMapping("/receipts/{id}")
    Receipt receipt(@PathVariable("id") long id) {
      return new Receipt(id);
    }

    @PostMapping("/receipts")
    String read(@RequestBody Receipt receipt) {
      return Long.toString(receipt.id());
    }

    @PostMapping("/ids")
    String order() {
      return Long.toString(flake.getObject().nextId());
    }
  }
}
