package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLWarning;

/** What can go wrong with a database, and its code. */
final class Fault {
  private Fault() {}

  /** Whether another transaction was in the way: a later attempt may succeed. */
  static boolean isConflict(Dialect dialect, SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    int number = failure.getErrorCode();
    if (state.equals("40001") || state.equals("40P01") || state.equals("55P03")) {
      return true;
    }
    return switch (dialect) {
      case SQLITE -> (number & 0xff) == 5 || (number & 0xff) == 6;
      case POSTGRES -> false;
      // A deadlock, a lock that was not given, a record changed since it was read.
      case MYSQL -> number == 1213 || number == 1205 || number == 1020;
    };
  }

  /** Whether a row of that key was there. */
  static boolean isDuplicate(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    return failure.getErrorCode() == 1062 || state.equals("23505");
  }

  /** Whether the server lacks a function, or does not let this user call it. */
  static boolean isOfNoSuchFunction(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    return state.equals("42883") || state.equals("42501");
  }

  /** Whether the connection may be of no more use: its link failed, or no answer came in time. */
  static boolean isBroken(Throwable failure) {
    if (!(failure instanceof SQLException known)) {
      return false;
    }
    String state = String.valueOf(known.getSQLState());
    return state.startsWith("08") // the link
        || state.startsWith("57P0") // the server ends
        || known instanceof SQLRecoverableException
        || known.getCause() instanceof IOException;
  }

  /**
   * What the database said of a commit just made that leaves it in doubt, if anything. PostgreSQL
   * warns where a wait for a standby ended without it. Notices of users' triggers are no doubts.
   */
  static SQLWarning doubt(Dialect dialect, Connection connection) throws SQLException {
    SQLWarning said = dialect.warnsOfDoubts() ? connection.getWarnings() : null;
    while (said != null && !String.valueOf(said.getSQLState()).matches("01...|57P01")) {
      said = said.getNextWarning();
    }
    return said;
  }

  /** The error of something that failed before anything was committed. */
  static SnowmintException explain(Dialect dialect, SQLException failure) {
    Code code = code(dialect, failure);
    return new SnowmintException(code, advice(code) + ": " + failure.getMessage(), failure);
  }

  /** The error of what a driver or pool threw that is no error of a database. */
  static SnowmintException explain(RuntimeException failure) {
    Code code = Code.STORE_UNAVAILABLE;
    return new SnowmintException(code, advice(code) + ": " + failure, failure);
  }

  /** The error of a commit that may or may not have taken place. */
  static SnowmintException unknown(Exception failure) {
    return new SnowmintException(
        Code.OUTCOME_UNKNOWN,
        "the commit was not confirmed; what it reserved is given up: " + failure.getMessage(),
        failure);
  }

  private static Code code(Dialect dialect, SQLException failure) {
    if (failure instanceof SQLTransientConnectionException || dialect == null) {
      return Code.STORE_UNAVAILABLE;
    }
    if (isConflict(dialect, failure)) {
      return Code.STORE_LOCKED;
    }
    String state = String.valueOf(failure.getSQLState());
    int number = failure.getErrorCode();
    if (dialect == Dialect.SQLITE) {
      return switch (number & 0xff) {
        case 1 -> Code.STORE_SCHEMA;
        case 8 -> Code.STORE_READ_ONLY;
        case 11, 26 -> Code.STORE_CORRUPT;
        case 13 -> Code.STORE_FULL;
        default -> Code.STORE_UNAVAILABLE;
      };
    }
    return switch (state) {
      case "42P01", "42703", "42S02", "42S22" -> Code.STORE_SCHEMA;
      case "25006" -> Code.STORE_READ_ONLY;
      case "53100" -> Code.STORE_FULL;
      default ->
          number == 1290 || number == 1792
              ? Code.STORE_READ_ONLY
              : number == 1114 || number == 1021 ? Code.STORE_FULL : Code.STORE_UNAVAILABLE;
    };
  }

  private static String advice(Code code) {
    return switch (code) {
      case STORE_LOCKED -> "other transactions were in the way; ask again";
      case STORE_SCHEMA -> "the database has not the tables it should have; call createTables()";
      case STORE_READ_ONLY -> "the database cannot be written; name its primary";
      case STORE_FULL -> "the database has no room left";
      case STORE_CORRUPT -> "the database is damaged";
      default -> "the database cannot be reached or refused a statement";
    };
  }
}
