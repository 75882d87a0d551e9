package io.github.snowmint.mybatis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.MybatisSqlSessionFactoryBuilder;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.Segment;
import io.github.snowmint.Snowflake;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TextForm;
import io.github.snowmint.UuidSource;
import io.github.snowmint.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of both, inserted into H2, with keys of the same database. */
class KeysTest {
  private JdbcDataSource database;
  private JdbcStore store;
  private Segment numbers;

  @BeforeEach
  void begin() throws Exception {
    database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE invoice (id VARCHAR PRIMARY KEY, text VARCHAR)");
    }
    store = new JdbcStore(database);
    store.createTables();
    store.ensureTag("invoices");
    numbers = Segment.builder(store, "invoices").open();
  }

  @AfterEach
  void end() {
    numbers.close();
  }

  public static class Invoice {
    @SnowmintId public Long id;
    public String text = "";
  }

  public static class Numbered extends Invoice {}

  public static class Spelt {
    @SnowmintId(form = TextForm.BASE32)
    public String id;

    public String text = "";
  }

  public static class Primitive {
    @SnowmintId public long id;
    public String text = "";
  }

  public static class Wrong {
    @SnowmintId public Integer id;
    public String text = "";
  }

  public static class Formed {
    @SnowmintId(form = TextForm.HEX)
    public Long id;

    public String text = "";
  }

  public interface Invoices {
    @Insert("INSERT INTO invoice (id, text) VALUES (#{id}, #{text})")
    void add(Object invoice);

    @Insert("INSERT INTO invoice (id, text) VALUES (#{it.id}, #{text})")
    void addNamed(@Param("it") Invoice invoice, @Param("text") String text);

    @Insert({
      "<script>INSERT INTO invoice (id, text) VALUES",
      "<foreach collection='list' item='it' separator=','>(#{it.id}, #{it.text})</foreach></script>"
    })
    void addAll(List<Invoice> invoices);

    @Select("SELECT count(*) FROM invoice WHERE id = #{id}")
    int count(String id);
  }

  private Configuration configured(Configuration configuration) {
    Environment environment =
        new Environment("test", new JdbcTransactionFactory(), database);
    configuration.setEnvironment(environment);
    return configuration;
  }

  private void withInvoices(IdSource source, Consumer<Invoices> work) {
    Configuration configuration = configured(new Configuration());
    configuration.addInterceptor(new SnowmintInterceptor(source));
    configuration.addMapper(Invoices.class);
    SqlSessionFactory sessions = new SqlSessionFactoryBuilder().build(configuration);
    try (SqlSession session = sessions.openSession(true)) {
      work.accept(session.getMapper(Invoices.class));
    }
  }

  @Test
  void whatIsMarkedIsFilled() {
    withInvoices(
        numbers,
        invoices -> {
          Invoice first = new Invoice();
          invoices.add(first);
          assertEquals(1, first.id);
          invoices.addNamed(new Invoice(), "named");
          List<Invoice> both = List.of(new Invoice(), new Numbered());
          invoices.addAll(both);
          assertEquals(List.of(3L, 4L), both.stream().map(each -> each.id).toList());
          Primitive primitive = new Primitive();
          invoices.add(primitive);
          assertEquals(5, primitive.id);
          Spelt spelt = new Spelt();
          invoices.add(spelt);
          assertEquals(TextForm.BASE32.format(6), spelt.id);
          for (String id : List.of("1", "2", "3", "4", "5", spelt.id)) {
            assertEquals(1, invoices.count(id), id);
          }
        });
  }

  @Test
  void whatHasAKeyKeepsIt() {
    withInvoices(
        numbers,
        invoices -> {
          Invoice own = new Invoice();
          own.id = 77L;
          invoices.add(own);
          assertEquals(77, own.id);
          assertEquals(1, numbers.nextId());
        });
  }

  @Test
  void whatCannotBeFilledIsRefused() {
    withInvoices(
        numbers,
        invoices -> {
          assertRefused(
              Code.INVALID_PARAMETER, "Wrong.id is of type Integer", () -> invoices.add(new Wrong()));
          assertRefused(
              Code.INVALID_PARAMETER, "only a String", () -> invoices.add(new Formed()));
        });
    try (UuidSource uuids = UuidSource.of(7)) {
      withInvoices(
          uuids,
          invoices ->
              assertRefused(
                  Code.UNSUPPORTED,
                  "Invoice.id holds 64 bits, and a UUID has 128: give a source of 64-bit IDs",
                  () -> invoices.add(new Invoice())));
    }
  }

  @Test
  void noSourceIsRefusedAtOnce() {
    assertSays("source is null", () -> new SnowmintInterceptor(null));
    IdSource source = null;
    assertSays("source is null", () -> new SnowmintIdentifiers(source));
    Function<Class<?>, IdSource> sources = null;
    assertSays("sources is null", () -> new SnowmintIdentifiers(sources));
  }

  private static void assertRefused(Code code, String says, Runnable call) {
    Throwable failure = assertThrows(PersistenceException.class, call::run);
    while (!(failure instanceof SnowmintException)) {
      failure = failure.getCause();
    }
    assertSaid(code, says, (SnowmintException) failure);
  }

  private static void assertSays(String says, Runnable call) {
    assertSaid(Code.INVALID_PARAMETER, says, assertThrows(SnowmintException.class, call::run));
  }

  private static void assertSaid(Code code, String says, SnowmintException failure) {
    assertEquals(code, failure.code());
    assertTrue(failure.getMessage().contains(says), failure.getMessage());
  }

  @TableName("invoice")
  public static class Row {
    @TableId(type = IdType.ASSIGN_ID)
    public Long id;

    public String text;
  }

  @TableName("invoice")
  public static class Text {
    @TableId(type = IdType.ASSIGN_UUID)
    public String id;

    public String text;
  }

  public interface Rows extends BaseMapper<Row> {}

  public interface Texts extends BaseMapper<Text> {}

  private void withPlus(SnowmintIdentifiers identifiers, Consumer<SqlSession> work) {
    MybatisConfiguration configuration = new MybatisConfiguration();
    configured(configuration);
    GlobalConfigUtils.getGlobalConfig(configuration).setIdentifierGenerator(identifiers);
    configuration.addMapper(Rows.class);
    configuration.addMapper(Texts.class);
    SqlSessionFactory sessions = new MybatisSqlSessionFactoryBuilder().build(configuration);
    try (SqlSession session = sessions.openSession(true)) {
      work.accept(session);
    }
  }

  @Test
  void plusTakesItsIdentifiersFromASource() {
    try (Snowflake flake = Snowflake.builder().leaseFrom(store).open()) {
      withPlus(
          new SnowmintIdentifiers(flake),
          session -> {
            Row row = new Row();
            session.getMapper(Rows.class).insert(row);
            long workerId = flake.stats().workerId().getAsLong();
            assertEquals(workerId, flake.layout().decode(row.id).workerId());
            assertEquals("Snowflake", flake.toString().split("\\[")[0]);
            Text text = new Text();
            session.getMapper(Texts.class).insert(text);
            assertTrue(text.id.matches("[0-9a-f]{32}"), text.id); // Its own.
          });
    }
  }

  @Test
  void eachEntityHasASourceOfItsOwn() {
    try (UuidSource uuids = UuidSource.of(7)) {
      withPlus(
          new SnowmintIdentifiers(type -> type == Row.class ? numbers : uuids),
          session -> {
            for (long expected = 1; expected <= 3; expected++) {
              Row row = new Row();
              session.getMapper(Rows.class).insert(row);
              assertEquals(expected, row.id);
            }
            Text one = new Text();
            Text other = new Text();
            session.getMapper(Texts.class).insert(one);
            session.getMapper(Texts.class).insert(other);
            assertEquals('7', one.id.charAt(12));
            assertNotEquals(one.id, other.id);
          });
    }
  }
}
