package shop;

import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.MybatisSqlSessionFactoryBuilder;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import io.github.snowmint.Segment;
import io.github.snowmint.jdbc.JdbcStore;
import io.github.snowmint.mybatis.SnowmintId;
import io.github.snowmint.mybatis.SnowmintIdentifiers;
import io.github.snowmint.mybatis.SnowmintInterceptor;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.h2.jdbcx.JdbcDataSource;

public class Shop {
  // --8<-- [start:customer]
  public static class Customer {
    @SnowmintId Long id; // or long, or a String: @SnowmintId(form = TextForm.BASE32)
    String name = "Ada";
  }

  public interface Customers {
    @Insert("INSERT INTO customer (id, name) VALUES (#{id}, #{name})")
    void add(Customer customer);
  }
  // --8<-- [end:customer]

  // --8<-- [start:ticket]
  public static class Ticket {
    public Long id; // IdType.ASSIGN_ID, which is the default
    public Long customer;
  }

  public interface Tickets extends BaseMapper<Ticket> {}
  // --8<-- [end:ticket]

  public static void main(String[] arguments) throws Exception {
    var database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS customer (id BIGINT PRIMARY KEY, name VARCHAR)");
      statement.execute("CREATE TABLE IF NOT EXISTS ticket (id BIGINT PRIMARY KEY, customer BIGINT)");
    }
    var configuration = new MybatisConfiguration();
    configuration.setEnvironment(new Environment("shop", new JdbcTransactionFactory(), database));
    // --8<-- [start:source]
    var store = new JdbcStore(database);
    store.createTables();
    store.ensureTag("rows");
    Segment source = Segment.builder(store, "rows").open();
    // --8<-- [end:source]
    // --8<-- [start:interceptor]
    configuration.addInterceptor(new SnowmintInterceptor(source));
    // --8<-- [end:interceptor]
    // --8<-- [start:identifiers]
    GlobalConfigUtils.getGlobalConfig(configuration)
        .setIdentifierGenerator(new SnowmintIdentifiers(source));
    // --8<-- [end:identifiers]
    configuration.addMapper(Customers.class);
    configuration.addMapper(Tickets.class);
    try (source;
        var session =
            new MybatisSqlSessionFactoryBuilder().build(configuration).openSession(true)) {
      // --8<-- [start:insert]
      var customer = new Customer();
      session.getMapper(Customers.class).add(customer);
      var ticket = new Ticket();
      ticket.customer = customer.id;
      session.getMapper(Tickets.class).insert(ticket);
      System.out.println("customer " + customer.id + ", ticket " + ticket.id);
      // --8<-- [end:insert]
    }
  }
}
