package io.github.snowmint.mybatis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.snowmint.testing.Readme;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of README.md, run. */
class ReadmeTest {
  private static final String EXAMPLE =
      """
      import com.baomidou.mybatisplus.annotation.*;
      import com.baomidou.mybatisplus.core.*;
      import com.baomidou.mybatisplus.core.mapper.BaseMapper;
      import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
      import io.github.snowmint.*;
      import io.github.snowmint.jdbc.JdbcStore;
      import io.github.snowmint.mybatis.*;
      import org.apache.ibatis.annotations.Insert;
      import org.apache.ibatis.mapping.Environment;
      import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
      import org.h2.jdbcx.JdbcDataSource;

      public class Example {
        %s

        public static class Invoice {
          public Long id;
          public String name = "Bea";
        }

        public interface Invoices extends BaseMapper<Invoice> {}

        public interface Customers {
          @Insert("INSERT INTO customer (id, name) VALUES (#{id}, #{name})")
          void add(Customer customer);
        }

        public static void main(String[] arguments) throws Exception {
          var database = new JdbcDataSource();
          database.setURL("jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1");
          try (var connection = database.getConnection();
              var statement = connection.createStatement()) {
            statement.execute(
                "CREATE TABLE IF NOT EXISTS customer (id BIGINT PRIMARY KEY, name VARCHAR)");
            statement.execute(
                "CREATE TABLE IF NOT EXISTS invoice (id BIGINT PRIMARY KEY, name VARCHAR)");
          }
          var store = new JdbcStore(database);
          store.createTables();
          store.ensureTag("rows");
          var configuration = new MybatisConfiguration();
          configuration.setEnvironment(
              new Environment("readme", new JdbcTransactionFactory(), database));
          try (var source = Segment.builder(store, "rows").open()) {
            %s
            %s
            configuration.addMapper(Customers.class);
            configuration.addMapper(Invoices.class);
            try (var session =
                new MybatisSqlSessionFactoryBuilder().build(configuration).openSession(true)) {
              var customer = new Customer();
              session.getMapper(Customers.class).add(customer);
              var invoice = new Invoice();
              session.getMapper(Invoices.class).insert(invoice);
              System.out.println("customer " + customer.id + ", invoice " + invoice.id);
            }
          }
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void itsLinesRun() throws Exception {
    List<String> java = Readme.blocks("java");
    String customer = java.get(0).replace("public class", "public static class");
    String said = Readme.run(EXAMPLE.formatted(customer, java.get(1), java.get(2)), directory);
    assertEquals("customer 1, invoice 2", said.strip().lines().reduce((a, b) -> b).orElseThrow());
  }
}
