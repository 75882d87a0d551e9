package shop;

import io.github.snowmint.Segment;
import io.github.snowmint.jdbc.JdbcStore;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class Shop {
  public static void main(String[] arguments) {
    SpringApplication.run(Shop.class, arguments);
  }

  // --8<-- [start:tickets]
  @Bean
  Segment tickets(JdbcStore store) {
    store.ensureTag("tickets");
    return Segment.builder(store, "tickets").open();
  }
  // --8<-- [end:tickets]
}
