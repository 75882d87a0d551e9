package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLWarning;
import java.util.regex.Pattern;

/** The errors of databases, and their codes. */
final class Fault {
  /** The state of PostgreSQL's idle_in_transaction_session_timeout. */
  private static final String IDLE = "25P03";

  /** The advice if the connection forbids changes, and not the server. */
  private static final String READ_ONLY_CONNECTION =
      "the database takes no changes on this connection, which is read only by a setting of the"
          + " DataSource, its pool or driver (readOnly, setReadOnly): give the store a DataSource"
          + " without it";

  private static final Pattern SQLITE_IN_MEMORY =
      Pattern.compile(":memory:|mode=memory|^jdbc:sqlite:$");

  private static final Pattern NO_SQLITE_TABLE =
      Pattern.compile("no such table: (main\\.)?snowmint_");

  private Fault() {}

  /** Returns true if another transaction was in the way, so a later attempt may succeed. */
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
      // A lock that was not given, a row that is being changed.
      case H2 -> number == 50200 || number == 90131;
    };
  }

  /**
   * Returns true if the database says that it did not make a commit. PostgreSQL checks the idle
   * timeout of a transaction before its next statement, and never after a statement. Of MySQL, only
   * a deadlock says so: its drivers give other errors the state of a conflict as well.
   */
  static boolean isRefusalToCommit(Dialect dialect, SQLException failure) {
    return switch (dialect) {
      case MYSQL -> failure.getErrorCode() == 1213;
      default -> isConflict(dialect, failure) || IDLE.equals(failure.getSQLState());
    };
  }

  /** Returns true if a row with that key exists. */
  static boolean isDuplicate(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    return failure.getErrorCode() == 1062 || state.equals("23505");
  }

  /** Returns true if the connection may be unusable: its link failed, or no answer came in time. */
  static boolean isBroken(Throwable failure) {
    if (!(failure instanceof SQLException known)) {
      return false;
    }
    String state = String.valueOf(known.getSQLState());
    return state.startsWith("08") // the link
        || state.startsWith("57P0") // the server ends
        || state.equals(IDLE)
        || known instanceof SQLRecoverableException
        || known.getCause() instanceof IOException;
  }

  /**
   * Returns a warning that leaves a commit in doubt, or null. PostgreSQL warns if a wait for a
   * standby ended without it, or if there was no transaction. Notices of users' triggers are no
   * doubts.
   */
  static SQLWarning doubt(Dialect dialect, Connection connection) throws SQLException {
    SQLWarning said = dialect.warnsOfDoubts() ? connection.getWarnings() : null;
    while (said != null && !String.valueOf(said.getSQLState()).matches("01...|25...|57P01")) {
      said = said.getNextWarning();
    }
    return said;
  }

  /**
   * Returns the error of a failure before any commit. The connection may be broken, or null if none
   * could be obtained.
   */
  static SnowmintException explain(Dialect dialect, Connection connection, SQLException failure) {
    Known known = known(dialect, failure);
    String advice = known.advice;
    if (known == Known.READ_ONLY && isReadOnly(connection)) {
      advice = READ_ONLY_CONNECTION;
    } else if (known == Known.NO_TABLES) {
      advice = withoutTables(dialect, isInMemory(dialect, connection));
    }
    return new SnowmintException(known.code, advice + ": " + said(failure), failure);
  }

  private static boolean isReadOnly(Connection connection) {
    try {
      return connection != null && connection.isReadOnly();
    } catch (SQLException | RuntimeException gone) {
      return false;
    }
  }

  private static boolean isInMemory(Dialect dialect, Connection connection) {
    if (dialect == null) {
      return false;
    }
    try {
      String url = String.valueOf(connection.getMetaData().getURL());
      return switch (dialect) {
        case SQLITE -> SQLITE_IN_MEMORY.matcher(url).find();
        case H2 -> url.startsWith("jdbc:h2:mem:");
        case POSTGRES, MYSQL -> false;
      };
    } catch (SQLException | RuntimeException gone) {
      return false;
    }
  }

  /** Returns the database's message without the statement, which does not help the reader. */
  private static String said(SQLException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.split("; SQL statement:|\\R\\s*Query is", 2)[0].strip().replaceAll("\\R\\s*", ", ");
  }

  /** Returns the error of a driver's or pool's exception that is not a database error. */
  static SnowmintException explain(RuntimeException failure) {
    Known known = Known.UNAVAILABLE;
    return new SnowmintException(known.code, known.advice + ": " + failure, failure);
  }

  /** Returns the error of missing tables. */
  static SnowmintException noTables(Dialect dialect) {
    return new SnowmintException(Known.NO_TABLES.code, withoutTables(dialect, false));
  }

  private static String withoutTables(Dialect dialect, boolean isInMemory) {
    String place =
        dialect == Dialect.POSTGRES ? "database and schema" : "which database it is";
    String advice =
        Known.NO_TABLES.advice
            + ": check "
            + place
            + ", or call createTables() to begin a key space of its own, which repeats the IDs of"
            + " every other";
    if (!isInMemory) {
      return advice;
    }
    return advice
        + "; where that was done: a database in memory ends with its last connection, and one"
        + " without a name is each connection's own; "
        + (dialect == Dialect.H2
            ? "use jdbc:h2:mem:NAME;DB_CLOSE_DELAY=-1"
            : "use a file, or jdbc:sqlite:file:NAME?mode=memory&cache=shared and keep a connection"
                + " open");
  }

  /** Returns the error of a commit whose outcome is unknown. */
  static SnowmintException unknown(Exception failure) {
    return new SnowmintException(
        Code.OUTCOME_UNKNOWN,
        "the commit was not confirmed; what it reserved is given up: " + failure.getMessage(),
        failure);
  }

  /** The known errors, with the codes of the library's other stores and with advice. */
  private enum Known {
    UNAVAILABLE(
        Code.STORE_UNAVAILABLE, "the database cannot be reached or refused a statement"),
    LOCKED(Code.STORE_LOCKED, "other transactions were in the way; ask again"),
    CANCELLED(
        Code.STORE_LOCKED,
        "the database ended a statement, by its statement_timeout (max_statement_time,"
            + " max_execution_time) or by hand: end others' transactions that stay open, or raise"
            + " that setting for this user (ALTER ROLE … SET statement_timeout)"),
    WAS_IDLE(
        Code.STORE_UNAVAILABLE,
        "the database ended a transaction that this process was in, and stood still for too long:"
            + " nothing was reserved, ask again"),
    REFUSES_USER(
        Code.STORE_DENIED,
        "the database refuses this user: check user, password and, on PostgreSQL, pg_hba.conf"),
    KEEPS_ROW(
        Code.STORE_DENIED,
        "the database keeps a row from this user: let him see and change all rows (ALTER ROLE …"
            + " BYPASSRLS, or CREATE POLICY … USING (true) without a restrictive one)"),
    UNTELLING(
        Code.UNSUPPORTED,
        "the database cannot tell which server it is (pg_control_system), without which a failover"
            + " would not be noticed: use PostgreSQL itself, or another store"),
    UNTOLD(
        Code.STORE_DENIED,
        "the database does not tell this user which server it is, without which a failover would"
            + " not be noticed: GRANT EXECUTE ON FUNCTION pg_control_system(), pg_current_wal_lsn(),"
            + " pg_walfile_name(pg_lsn) TO the user in this database"),
    LACKS_RIGHT(
        Code.STORE_DENIED,
        "the database does not let this user do that: GRANT SELECT, INSERT, UPDATE ON"
            + " snowmint_worker, snowmint_segment and SELECT, UPDATE ON"
            + " snowmint_schema, on PostgreSQL also USAGE ON SCHEMA snowmint (or the one that"
            + " withSchema names); to make them, CREATE (on PostgreSQL ON DATABASE), on MySQL also"
            + " INSERT on all three"),
    NO_DATABASE(
        Code.STORE_MISSING, "the server has no such database: create it, or check its name"),
    NO_TABLES(Code.STORE_MISSING, "the database has not the tables of snowmint"),
    OTHER_TABLES(
        Code.STORE_SCHEMA,
        "the database has tables that are not as they should be: put them back as they were"),
    READ_ONLY(
        Code.STORE_READ_ONLY,
        "the database takes no changes: it is a standby (name its primary), or set to be read only,"
            + " as by PostgreSQL's default_transaction_read_only"),
    FULL(Code.STORE_FULL, "the database has no room left"),
    CORRUPT(Code.STORE_CORRUPT, "the database is damaged");

    final Code code;
    final String advice;

    Known(Code code, String advice) {
      this.code = code;
      this.advice = advice;
    }
  }

  /** Returns the known error of a failure. The dialect is null if there was no connection yet. */
  private static Known known(Dialect dialect, SQLException failure) {
    if (dialect != null && isConflict(dialect, failure)) {
      return Known.LOCKED;
    }
    if (dialect == Dialect.SQLITE) {
      return ofSqlite(failure);
    }
    if (dialect == Dialect.H2) {
      return ofH2(failure.getErrorCode());
    }
    String state = String.valueOf(failure.getSQLState());
    if (state.startsWith("28")) {
      return Known.REFUSES_USER;
    }
    return switch (state) {
      // The state does not tell these apart.
      case "42501" -> ofRight(String.valueOf(failure.getMessage()));
      case "42883" ->
          String.valueOf(failure.getMessage()).contains("pg_control_system")
              ? Known.UNTELLING
              : Known.OTHER_TABLES;
      case "57014" -> Known.CANCELLED;
      case IDLE -> Known.WAS_IDLE;
      case "3D000" -> Known.NO_DATABASE;
      case "42P01", "42S02" -> Known.NO_TABLES;
      case "42703", "42804", "42809", "23514", "23502", "42S22" -> Known.OTHER_TABLES;
      case "25006" -> Known.READ_ONLY;
      case "53100" -> Known.FULL;
      case "XX001", "XX002" -> Known.CORRUPT;
      default -> ofMysql(failure.getErrorCode());
    };
  }

  private static Known ofRight(String message) {
    if (message.matches("(?s).*(pg_control_system|pg_current_wal_lsn|pg_walfile_name).*")) {
      return Known.UNTOLD;
    }
    return message.contains("row-level security") ? Known.KEEPS_ROW : Known.LACKS_RIGHT;
  }

  private static Known ofSqlite(SQLException failure) {
    return switch (failure.getErrorCode() & 0xff) {
      // The number does not tell these two apart.
      case 1 ->
          NO_SQLITE_TABLE.matcher(String.valueOf(failure.getMessage())).find()
              ? Known.NO_TABLES
              : Known.OTHER_TABLES;
      case 8 -> Known.READ_ONLY;
      case 11, 26 -> Known.CORRUPT;
      case 13 -> Known.FULL;
      default -> Known.UNAVAILABLE;
    };
  }

  private static Known ofH2(int number) {
    return switch (number) {
      case 28000 -> Known.REFUSES_USER;
      case 90096 -> Known.LACKS_RIGHT;
      case 42102, 42103, 42104 -> Known.NO_TABLES;
      case 42122, 22018, 23502, 23513 -> Known.OTHER_TABLES;
      case 90097 -> Known.READ_ONLY;
      case 90030 -> Known.CORRUPT;
      default -> Known.UNAVAILABLE;
    };
  }

  /**
   * Returns the known error of a number, if the state says little. PostgreSQL's errors have no
   * number.
   */
  private static Known ofMysql(int number) {
    return switch (number) {
      case 1045, 1130, 1698 -> Known.REFUSES_USER;
      case 1044, 1142, 1143, 1227, 1370 -> Known.LACKS_RIGHT;
      case 1049 -> Known.NO_DATABASE;
      case 1146 -> Known.NO_TABLES;
      case 1054, 1136, 1264, 1265, 1364, 1366, 1406, 3819, 4025 -> Known.OTHER_TABLES;
      case 1290, 1792, 1836 -> Known.READ_ONLY;
      case 1969, 3024 -> Known.CANCELLED;
      case 1114, 1021 -> Known.FULL;
      case 1034, 1194, 1195, 1712 -> Known.CORRUPT;
      default -> Known.UNAVAILABLE;
    };
  }
}
