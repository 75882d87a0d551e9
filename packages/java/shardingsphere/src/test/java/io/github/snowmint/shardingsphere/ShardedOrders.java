package io.github.snowmint.shardingsphere;

import io.github.snowmint.testing.DatabaseServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory;
import org.apache.shardingsphere.driver.jdbc.core.datasource.ShardingSphereDataSource;

/** A table of orders over two databases with two tables each, behind ShardingSphere-JDBC. */
final class ShardedOrders implements AutoCloseable {
  private static final String YAML =
      """
      dataSources:
        ds_0:
          dataSourceClassName: com.zaxxer.hikari.HikariDataSource
          jdbcUrl: %1$s
          username: root
          maximumPoolSize: 4
        ds_1:
          dataSourceClassName: com.zaxxer.hikari.HikariDataSource
          jdbcUrl: %2$s
          username: root
          maximumPoolSize: 4
      rules:
      - !SHARDING
        tables:
          t_order:
            actualDataNodes: ds_${0..1}.t_order_${0..1}
            databaseStrategy:
              standard: {shardingColumn: order_id, shardingAlgorithmName: database}
            tableStrategy:
              standard: {shardingColumn: order_id, shardingAlgorithmName: table}
            keyGenerateStrategy: {column: order_id, keyGeneratorName: order_id}
        shardingAlgorithms:
          database: {type: INLINE, props: {algorithm-expression: 'ds_${%3$s %% 2}'}}
          table: {type: INLINE, props: {algorithm-expression: 't_order_${%3$s.intdiv(2) %% 2}'}}
        keyGenerators:
          order_id: {type: %4$s, props: {%5$s}}
      """;

  private final ShardingSphereDataSource source;

  private ShardedOrders(ShardingSphereDataSource source) {
    this.source = source;
  }

  /** Four empty tables with a key of a type, such as {@code BIGINT}. */
  static void createTables(DatabaseServer server, String type) throws SQLException {
    for (String database : List.of("orders_0", "orders_1")) {
      server.execute("", "CREATE DATABASE IF NOT EXISTS " + database);
      for (String table : List.of("t_order_0", "t_order_1")) {
        server.execute(
            database,
            "CREATE OR REPLACE TABLE " + table
                + " (order_id " + type + " PRIMARY KEY, item VARCHAR(20))");
      }
    }
  }

  /** The tables, with a key generator and its properties as YAML writes them. */
  static ShardedOrders open(DatabaseServer server, String type, String properties)
      throws Exception {
    String number =
        type.equals("SNOWMINT_UUID") ? "Math.abs(order_id.hashCode().longValue())" : "order_id";
    String yaml =
        YAML.formatted(
            server.url("orders_0"), server.url("orders_1"), number, type, properties);
    return new ShardedOrders(
        (ShardingSphereDataSource)
            YamlShardingSphereDataSourceFactory.createDataSource(
                yaml.getBytes(StandardCharsets.UTF_8)));
  }

  Connection connect() throws SQLException {
    return source.getConnection();
  }

  /** Inserts so many rows by one statement, and returns the keys that it reports. */
  static List<Object> insert(Connection connection, int rows) throws SQLException {
    String values = "(?)" + ", (?)".repeat(rows - 1);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO t_order (item) VALUES " + values, Statement.RETURN_GENERATED_KEYS)) {
      for (int row = 1; row <= rows; row++) {
        insert.setString(row, "tea");
      }
      insert.executeUpdate();
      return keys(insert);
    }
  }

  static List<Object> keys(Statement insert) throws SQLException {
    List<Object> keys = new ArrayList<>();
    try (ResultSet generated = insert.getGeneratedKeys()) {
      while (generated.next()) {
        keys.add(generated.getObject(1));
      }
    }
    return keys;
  }

  /** The keys in each of the four tables, read without ShardingSphere. */
  static Map<String, List<Object>> shards(DatabaseServer server) throws SQLException {
    Map<String, List<Object>> shards = new TreeMap<>();
    for (String database : List.of("orders_0", "orders_1")) {
      try (Connection connection = server.connect(database);
          Statement plain = connection.createStatement()) {
        for (String table : List.of("t_order_0", "t_order_1")) {
          List<Object> keys = new ArrayList<>();
          try (ResultSet rows = plain.executeQuery("SELECT order_id FROM " + table)) {
            while (rows.next()) {
              keys.add(rows.getObject(1));
            }
          }
          shards.put(database + "." + table, keys);
        }
      }
    }
    return shards;
  }

  @Override
  public void close() throws SQLException {
    source.close();
  }
}
