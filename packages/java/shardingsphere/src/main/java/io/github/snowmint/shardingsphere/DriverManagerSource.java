package io.github.snowmint.shardingsphere;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A source that opens a new connection each time. A store rarely takes one: for a range or a
 * renewal.
 */
record DriverManagerSource(String url, String user, String password) implements DataSource {
  private static final String SHOWN = "the jdbc-url";

  @Override
  public Connection getConnection() throws SQLException {
    return getConnection(user, password);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    Properties properties = new Properties();
    if (user != null) {
      properties.setProperty("user", user);
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException failure) {
      throw withoutUrl(failure);
    }
  }

  /** Returns the failure without the URL, which may contain a password and which drivers repeat. */
  private SQLException withoutUrl(SQLException failure) {
    String message = String.valueOf(failure.getMessage());
    if (!message.contains(url)) {
      return failure;
    }
    // The failure is not the cause, because its message would be shown as well.
    SQLException hidden =
        new SQLException(
            message.replace(url, SHOWN), failure.getSQLState(), failure.getErrorCode());
    hidden.setStackTrace(failure.getStackTrace());
    return hidden;
  }

  /** Leaves out the URL, which contains the password for some drivers. */
  @Override
  public String toString() {
    return "DriverManagerSource[" + SHOWN + "]";
  }

  @Override
  public PrintWriter getLogWriter() {
    return DriverManager.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) {
    DriverManager.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) {
    DriverManager.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() {
    return DriverManager.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("it has no logger");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("it wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
