package shop;

import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.snowmint.Snowflake;
import org.apache.ibatis.annotations.Mapper;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that has the starter, and configures nothing. */
@SpringBootApplication
public class Shop {
  @TableName("orders")
  public static class Order {
    public Long id;
    public String text;
  }

  @Mapper
  public interface Orders extends BaseMapper<Order> {}

  @RestController
  static class Desk {
    private final ObjectProvider<Snowflake> flake;

    Desk(ObjectProvider<Snowflake> flake) {
      this.flake = flake;
    }

    @PostMapping("/ids")
    String order() {
      return Long.toString(flake.getObject().nextId());
    }
  }
}
