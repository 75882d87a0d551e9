package io.github.snowmint;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A real DataSource, whose connections can be made to fail, and tell what was done to them. */
final class FaultyDataSource implements DataSource {
  /** Faults around calls of a connection. */
  interface Fault {
    /** Throws in place of the call, or does nothing. */
    default void before(String method) throws SQLException {}

    /** Throws although the call was made, or does nothing. */
    default void after(String method) throws SQLException {}

    /** Returns the connection, or another one to give in its place. */
    default Connection given(Connection connection) throws SQLException {
      return connection;
    }
  }

  static final Fault NONE = new Fault() {};

  /** The source of the connections. */
  volatile DataSource source;

  private final List<String> returned = new ArrayList<>();
  volatile Fault fault = NONE;
  volatile boolean autocommit = true;
  volatile int level = Connection.TRANSACTION_NONE;
  volatile int networkTimeoutMs;

  FaultyDataSource(DataSource source) {
    this.source = source;
  }

  @Override
  public Connection getConnection() throws SQLException {
    fault.before("getConnection");
    Connection real = source.getConnection();
    if (level != Connection.TRANSACTION_NONE) {
      real.setTransactionIsolation(level);
    }
    if (networkTimeoutMs > 0) {
      real.setNetworkTimeout(Runnable::run, networkTimeoutMs);
    }
    real.setAutoCommit(autocommit);
    return fault.given(watched(real));
  }

  private Connection watched(Connection real) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("close") && !real.isClosed()) {
            note(real);
          }
          fault.before(method.getName());
          try {
            Object result = method.invoke(real, arguments);
            fault.after(method.getName());
            return result;
          } catch (InvocationTargetException failure) {
            throw failure.getCause();
          }
        };
    Class<?>[] types = {Connection.class};
    return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(), types, handler);
  }

  /** Notes the state in which a connection is given back. */
  private void note(Connection real) throws SQLException {
    synchronized (returned) {
      returned.add(
          real.getAutoCommit()
              + " "
              + real.getTransactionIsolation()
              + " "
              + real.getNetworkTimeout());
    }
  }

  /** Returns the states in which connections were given back since the last call. */
  List<String> returned() {
    synchronized (returned) {
      List<String> since = List.copyOf(returned);
      returned.clear();
      return since;
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return source.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter writer) throws SQLException {
    source.setLogWriter(writer);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    source.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return source.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return source.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return source.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return source.isWrapperFor(type);
  }
}
