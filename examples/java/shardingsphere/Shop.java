package shop;

import java.io.File;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory;

public class Shop {
  public static void main(String[] arguments) throws Exception {
    // --8<-- [start:insert]
    DataSource orders = YamlShardingSphereDataSourceFactory.createDataSource(new File("orders.yaml"));
    try (Connection connection = orders.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO t_order (item) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
      insert.setString(1, "tea");
      insert.executeUpdate();
      ResultSet keys = insert.getGeneratedKeys();
      keys.next();
      System.out.println("order " + keys.getLong(1));
    }
    // --8<-- [end:insert]
    ((AutoCloseable) orders).close();
  }
}
