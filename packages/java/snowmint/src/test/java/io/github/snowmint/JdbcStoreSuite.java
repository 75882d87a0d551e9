package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Further tests of a store, whatever its {@code DataSource} does. */
abstract class JdbcStoreSuite extends WorkerStoreSuite<JdbcStore> {
  FaultyDataSource source;

  /** A database without the tables. */
  abstract DataSource database() throws Exception;

  /** The isolation levels that it has. */
  abstract int[] levels();

  /** Returns true if its driver can bound how long an answer is waited for. */
  boolean boundsAnswers() {
    return true;
  }

  @Override
  JdbcStore make() throws Exception {
    source = new FaultyDataSource(database());
    JdbcStore store = new JdbcStore(source);
    store.createTables();
    store.createTables(); // Once more is nothing wrong.
    source.returned();
    return store;
  }

  @Override
  int patience() {
    return 300;
  }

  @Test
  void anyIsolationLevelWithAndWithoutAutocommit() {
    create("orders", 1, 10, 1);
    long next = 1;
    for (int level : levels()) {
      for (boolean autocommit : new boolean[] {true, false}) {
        source.level = level;
        source.autocommit = autocommit;
        source.returned();
        assertRange(next, next + 10, take("orders"));
        next += 10;
        Lease lease = store.acquire(request("a", 9));
        store.release(store.renew(lease, token(2), MINUTE_MS));
        String found = autocommit + " " + level + " 0";
        assertEquals(Collections.nCopies(4, found), source.returned());
      }
    }
  }

  @Test
  void anotherDatabaseInItsPlaceGivesNothing() throws Exception {
    create("orders", 1, 10, 1);
    Lease lease = store.acquire(request("a", 9));
    source.source = database();
    JdbcStore other = new JdbcStore(source);
    other.createTables();
    other.createTag("orders");
    for (Executable call :
        List.<Executable>of(
            () -> take("orders"),
            () -> take("nothing"),
            () -> create("others", 1, 10, 1),
            () -> store.acquire(request("b", 9)),
            () -> store.renew(lease, token(2), MINUTE_MS),
            () -> store.tags())) {
      String message = refused(Code.INCARNATION_CHANGED, call);
      assertContains(message, "this is the key space ", "start again");
    }
    assertEquals(List.of(), other.workers());
    assertRange(1, 1001, other.allocate("orders", NONE));
  }

  @Test
  void onlyTheRequiredKeySpaceIsUsed() throws Exception {
    create("orders", 1, 10, 1);
    String first = keySpace(source);
    JdbcStore pinned = new JdbcStore(source).withKeySpace(first);
    pinned.createTables();
    assertRange(1, 11, pinned.allocate("orders", NONE));

    DataSource empty = database();
    JdbcStore lost = new JdbcStore(empty).withKeySpace(first);
    assertContains(refused(Code.STORE_MISSING, lost::createTables), "has no key space, so ");
    assertFalse(lost.hasTables());

    new JdbcStore(empty).createTables();
    String other = keySpace(empty);
    for (Executable call :
        List.<Executable>of(
            lost::createTables,
            () -> lost.createTag("orders"),
            () -> lost.acquire(request("a", 9)))) {
      String message = refused(Code.INCARNATION_CHANGED, call);
      assertContains(message, "this is the key space " + other, "start again");
    }
    refused(Code.INVALID_PARAMETER, () -> store.withKeySpace("7"));
  }

  private static String keySpace(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      String table =
          connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
              ? "snowmint.snowmint_schema"
              : "snowmint_schema";
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT key_space FROM " + table)) {
        rows.next();
        return rows.getString(1).trim();
      }
    }
  }

  @Test
  void threadsAtTheStrictestLevelWaitForEachOther() throws Exception {
    source.level = Connection.TRANSACTION_SERIALIZABLE;
    threadsGetDisjointRanges();
  }

  static FaultyDataSource.Fault before(String method, Throwable failure, int passing) {
    AtomicInteger left = new AtomicInteger(passing);
    return new FaultyDataSource.Fault() {
      @Override
      public void before(String called) throws SQLException {
        if (called.equals(method) && left.getAndDecrement() <= 0) {
          raise(failure);
        }
      }
    };
  }

  static FaultyDataSource.Fault after(String method, Throwable failure) {
    return new FaultyDataSource.Fault() {
      @Override
      public void after(String called) throws SQLException {
        if (called.equals(method)) {
          raise(failure);
        }
      }
    };
  }

  private static void raise(Throwable failure) throws SQLException {
    if (failure instanceof SQLException expected) {
      throw expected;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  /** A fault fails a call with its cause; what comes after it goes on where it should. */
  void assertFails(
      FaultyDataSource.Fault fault, Code code, Throwable cause, long next) {
    source.fault = fault;
    SnowmintException failure = Vectors.refused(code, () -> take("orders"));
    assertSame(cause, failure.getCause());
    source.fault = FaultyDataSource.NONE;
    assertEquals(next, store.tag("orders").orElseThrow().next());
  }

  @Test
  void failuresBeforeTheCommitLoseNothing() {
    create("orders", 1, 10, 1);
    SQLException refused = new SQLTransientConnectionException("the pool is empty");
    SQLException broken = new SQLException("the cable", "08006");
    assertFails(before("getConnection", refused, 0), Code.STORE_UNAVAILABLE, refused, 1);
    for (String method : List.of("getMetaData", "getAutoCommit", "setAutoCommit")) {
      assertFails(before(method, broken, 0), Code.STORE_UNAVAILABLE, broken, 1);
    }
    assertFails(before("prepareStatement", broken, 0), Code.STORE_UNAVAILABLE, broken, 1);
    assertRange(1, 11, take("orders"));
  }

  @Test
  void aFailureInTheMiddleLeavesAllOrNothing() {
    create("orders", 1, 10, 1);
    SQLException broken = new SQLException("the cable", "08006");
    for (int passing = 0; passing < 3; passing++) {
      long next = store.tag("orders").orElseThrow().next();
      source.fault = before("prepareStatement", broken, passing);
      try {
        next = take("orders").end();
      } catch (SnowmintException failure) {
        assertEquals(Code.STORE_UNAVAILABLE, failure.code());
        assertSame(broken, failure.getCause());
      }
      source.fault = FaultyDataSource.NONE;
      assertEquals(next, store.tag("orders").orElseThrow().next());
    }
    source.fault = before("prepareStatement", broken, 1);
    refused(Code.STORE_UNAVAILABLE, () -> take("nothing"));
    source.fault = FaultyDataSource.NONE;
    refused(Code.UNKNOWN_TAG, () -> take("nothing"));
  }

  @Test
  void whatADataSourceThrowsUncheckedIsTheCause() {
    create("orders", 1, 10, 1);
    RuntimeException thrown = new IllegalStateException("the pool is closed");
    for (String method : List.of("getConnection", "prepareStatement")) {
      assertFails(before(method, thrown, 0), Code.STORE_UNAVAILABLE, thrown, 1);
    }
    assertRange(1, 11, take("orders"));
  }

  @Test
  void anUnconfirmedCommitIsGivenUp() {
    create("orders", 1, 10, 1);
    SQLException lost = new SQLException("the answer", "08007");
    assertFails(after("commit", lost), Code.OUTCOME_UNKNOWN, lost, 11);
    assertRange(11, 21, take("orders"));
    assertFails(before("commit", lost, 0), Code.OUTCOME_UNKNOWN, lost, 21);
    assertRange(21, 31, take("orders"));
  }

  @Test
  void anErrorOutOfTheCommitLeavesNoTransaction() {
    create("orders", 1, 10, 1);
    source.returned();
    source.fault = before("commit", new AbstractMethodError("commit"), 0);
    assertThrows(AbstractMethodError.class, () -> take("orders"));
    source.fault = FaultyDataSource.NONE;
    assertTrue(source.returned().get(0).startsWith("true "), "a transaction goes on");
    assertRange(1, 11, take("orders"));
  }

  @Test
  void boundsOnAnswersAreGivenBack() {
    create("orders", 1, 10, 1);
    for (int usualMs : new int[] {0, 1_000, 77_000}) {
      source.networkTimeoutMs = usualMs;
      source.returned();
      take("orders");
      String bound = " " + (boundsAnswers() ? usualMs : 0);
      assertTrue(source.returned().get(0).endsWith(bound), () -> "not" + bound);
    }
  }

  @Test
  void boundsAreGivenBackWhereTheLevelIsNotTold() {
    create("orders", 1, 10, 1);
    SQLException refused = new SQLException("not now");
    source.networkTimeoutMs = 77_000;
    source.returned();
    source.fault = before("getTransactionIsolation", refused, 0);
    refused(Code.STORE_UNAVAILABLE, () -> take("orders"));
    source.fault = FaultyDataSource.NONE;
    String bound = " " + (boundsAnswers() ? 77_000 : 0);
    assertTrue(source.returned().get(0).endsWith(bound), () -> "not" + bound);
    assertRange(1, 11, take("orders"));
  }

  @Test
  void driversWithoutBoundsWork() {
    create("orders", 1, 10, 1);
    long next = 1;
    SQLException unsupported = new SQLFeatureNotSupportedException("not here");
    for (String method : List.of("getNetworkTimeout", "setNetworkTimeout")) {
      source.fault = before(method, unsupported, 0);
      assertRange(next, next + 10, take("orders"));
      next += 10;
    }
  }

  @Test
  void failuresAfterTheCommitChangeNothing() {
    create("orders", 1, 10, 1);
    source.returned();
    source.fault = before("setAutoCommit", new SQLException("the proxy"), 1);
    assertRange(1, 11, take("orders"));
    if (boundsAnswers()) { // SQLite's driver aborts nothing either.
      assertEquals(List.of(), source.returned()); // As it was left, nobody is to have it.
    }
    source.fault = after("close", new SQLException("the pool"));
    assertRange(11, 21, take("orders"));
  }

  @Test
  void closedConnectionsAndNone() {
    create("orders", 1, 10, 1);
    source.fault =
        new FaultyDataSource.Fault() {
          @Override
          public Connection given(Connection connection) throws SQLException {
            connection.close();
            return null;
          }
        };
    refused(Code.STORE_UNAVAILABLE, () -> take("orders"));
    source.fault =
        new FaultyDataSource.Fault() {
          @Override
          public Connection given(Connection connection) throws SQLException {
            connection.close();
            return connection;
          }
        };
    SnowmintException failure =
        Vectors.refused(Code.STORE_UNAVAILABLE, () -> take("orders"));
    assertInstanceOf(SQLException.class, failure.getCause());
    source.fault = FaultyDataSource.NONE;
    assertRange(1, 11, take("orders"));
  }

  @Test
  void aSegmentGoesOnAfterAnOutage() {
    create("orders", 1, 10, 1);
    SQLException broken = new SQLException("the cable", "08006");
    try (Segment segment = Segment.builder(store, "orders").step(10).prefetch(100).open()) {
      long last = segment.nextId();
      source.fault = before("getConnection", broken, 0);
      SnowmintException failure = null;
      while (failure == null) {
        try {
          last = segment.nextIdWithin(Duration.ZERO);
        } catch (SnowmintException error) {
          failure = error.code() == Code.WAIT_TIMEOUT ? null : error;
        }
      }
      assertEquals(Code.STORE_UNAVAILABLE, failure.code());
      assertTrue(causes(failure).contains(broken), failure::toString);
      source.fault = FaultyDataSource.NONE;
      assertEquals(last + 1, segment.nextId());
    }
  }

  /** Opening asks a database that is away no longer than its bound, and says what that threw. */
  @Test
  void openingIsGivenUpAfterItsBound() {
    SQLException broken = new SQLException("the cable", "08006");
    AtomicInteger asked = new AtomicInteger();
    source.fault =
        new FaultyDataSource.Fault() {
          @Override
          public void before(String called) throws SQLException {
            asked.incrementAndGet();
            throw broken;
          }
        };
    Duration none = Duration.ZERO;
    List<Executable> openings =
        List.of(
            () -> Segment.builder(store, "orders").maxWait(none).open(),
            () -> Sequences.builder(store, "chat").maxWait(none).open(),
            () -> Daily.builder(store, "bills").maxWait(none).open(),
            () -> Snowflake.builder().leaseFrom(store).maxWait(none).open());
    for (Executable opening : openings) {
      asked.set(0);
      SnowmintException failure = Vectors.refused(Code.STORE_UNAVAILABLE, opening);
      assertSame(broken, failure.getCause());
      assertEquals(1, asked.get());
    }
    source.fault = FaultyDataSource.NONE;
  }

  private static List<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void tablesAreMadeOnceByWhoeverStarts() throws Exception {
    for (int round = 0; round < 5; round++) {
      DataSource fresh = database();
      CyclicBarrier start = new CyclicBarrier(6);
      List<FutureTask<Void>> starting = new ArrayList<>();
      for (int n = 0; n < 6; n++) {
        FutureTask<Void> task =
            new FutureTask<>(
                () -> {
                  start.await();
                  new JdbcStore(fresh).createTables();
                  return null;
                });
        new Thread(task).start();
        starting.add(task);
      }
      for (FutureTask<Void> task : starting) {
        task.get();
      }
      JdbcStore made = new JdbcStore(fresh);
      made.createTag("orders");
      assertEquals(1, made.allocate("orders", NONE).start());
    }
  }

  @Test
  void aTableThatIsLostIsNotMadeAnew() throws Exception {
    store.acquire(request("a", 9));
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE snowmint_segment");
    }
    assertContains(refused(Code.STORE_SCHEMA, store::createTables), "tables of snowmint");
    refused(Code.STORE_MISSING, () -> take("orders"));
  }

  @Test
  void withoutTablesItSaysSo() throws Exception {
    assertTrue(store.hasTables());
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE snowmint_segment");
      statement.execute("DROP TABLE snowmint_worker");
      statement.execute("DROP TABLE snowmint_schema");
    }
    assertFalse(store.hasTables());
    String message = refused(Code.STORE_MISSING, () -> take("orders"));
    assertContains(message, "createTables() to begin a key space of its own");
    assertEquals(this instanceof JdbcPostgresTest, message.contains("database and schema"), message);
    assertFalse(message.contains("SELECT") || message.contains("UPDATE snow"), message);
    assertFalse(message.contains("u{a}"), message);
    assertContains(
        refused(Code.STORE_MISSING, () -> store.acquire(request("a", 9))), "createTables()");
  }
}
