package io.github.snowmint.jdbc;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.Allocation;
import io.github.snowmint.Code;
import io.github.snowmint.Lease;
import io.github.snowmint.LeaseRequest;
import io.github.snowmint.SegmentStore;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TagChange;
import io.github.snowmint.TagOptions;
import io.github.snowmint.TagRow;
import io.github.snowmint.WorkerRow;
import io.github.snowmint.WorkerStore;
import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.StoreCalls;
import io.github.snowmint.internal.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * A store of worker IDs and numbers in the application's own database, through its
 * {@code DataSource}: PostgreSQL, MariaDB 10.6, MySQL 8 or SQLite 3.42, and later ones, and for
 * tests H2 2. MySQL gets MariaDB's SQL, and is not tested itself.
 *
 * <ul>
 *   <li><em>Transactions</em>: each range or lease takes one, on a connection that is taken for it
 *       and returned as it was, whatever its autocommit and isolation level were. Do not use a
 *       {@code DataSource} that hands out the connection of a transaction in progress.
 *   <li><em>Commits</em>: an unconfirmed commit is {@link Code#OUTCOME_UNKNOWN}, and what it may
 *       have reserved is never used. Either the link failed, no answer came in time, or PostgreSQL
 *       warned that it no longer waits for a standby. MariaDB does not report that its wait for a
 *       semi-synchronous replica ended without it.
 *   <li><em>Replays</em>: MariaDB Connector/J with {@code transactionReplay=true} runs a
 *       transaction again on another connection, whose range differs from the range read. That
 *       option is {@link Code#UNSAFE_SETTING}. On MariaDB and MySQL, a commit on another connection
 *       than the first is {@link Code#OUTCOME_UNKNOWN}.
 *   <li><em>Durability</em>: on PostgreSQL {@code synchronous_commit} is at least {@code on} in
 *       these transactions, whatever it is elsewhere. You have to set the following, which the
 *       store does not check. The PostgreSQL server needs {@code fsync} and
 *       {@code full_page_writes}, MariaDB and MySQL need
 *       {@code innodb_flush_log_at_trx_commit = 1}, and SQLite needs {@code synchronous} at
 *       {@code FULL}.
 *   <li><em>Schema</em>: on PostgreSQL the tables are in the schema {@code snowmint}, whatever
 *       {@code search_path} is, unless {@link #withSchema} names another.
 *   <li><em>Key spaces</em>: the tables have a random identity from their creation, and one layout,
 *       which is that of their first lease. A lease for another layout is refused
 *       ({@link Code#REALM_MISMATCH}). Each transaction checks the identity: a {@code DataSource}
 *       that leads to another database than before is refused ({@link Code#INCARNATION_CHANGED}).
 *       A new process knows no identity from before, unless {@link #withKeySpace} names it.
 *   <li><em>Failovers, tags</em>: each row notes which server wrote it. A standby of PostgreSQL
 *       that takes over gives no range of a tag and creates none
 *       ({@link Code#INCARNATION_CHANGED}). First an operator has to raise the tags that lost
 *       ranges, by more than was lost, and confirm the server ({@link #vouch}). With
 *       {@link #withSynchronousReplication} it goes on by itself.
 *   <li><em>Failovers, worker IDs</em>: the standby gives worker IDs once all leases that may have
 *       been lost are over. That is the longest reservation ever noted after the latest time in the
 *       rows, and two seconds. It renews leases that are not about to end, and none if the former
 *       server's clock was ahead of its own. A user who may not call {@code pg_control_system} is
 *       refused.
 *   <li><em>Failovers, MariaDB and MySQL</em>: they never tell what replicas confirmed, so a server
 *       that takes another's place refuses every tag. The identity of a MariaDB server is its
 *       {@code server_id} and the position where it last stopped following another. So give servers
 *       that replicate different numbers, and the nodes of a Galera cluster a common number. The
 *       identity of MySQL is its {@code server_uuid}, also when it takes its place back: raise
 *       every tag then. Replicas need {@code read_only = ON}.
 *   <li><em>Restores</em>: the store notices a dump that is restored into PostgreSQL by its new
 *       tables, and a base backup by its new timeline, unless {@link #withSynchronousReplication}
 *       is stated. It cannot detect any other restore on the same server. Before anything mints,
 *       wait as long as the longest reservation, and raise every tag above all numbers in use.
 *   <li><em>Deadlines</em>: a call fails if the database's answer does not come in time. The
 *       connection is aborted, if its driver has {@code setNetworkTimeout} and {@code abort}.
 *       Nothing is cancelled at the server. The {@code DataSource} bounds the taking of a
 *       connection.
 *   <li><em>Clock</em>: the database's, read inside each statement.
 *   <li><em>Threads</em>: any number. Sources call it from threads of their own. A call by a virtual
 *       thread takes its connection on another thread.
 *   <li><em>H2</em>: in memory or a file, for tests and not for production. What it has confirmed
 *       is not yet on the disk ({@code WRITE_DELAY}). No trigger keeps others from lowering a row.
 *       Its {@code LOCK_TIMEOUT} bounds the wait for its locks.
 *   <li><em>SQLite</em>: only one SQLite in a process may use a file, either the driver's or that
 *       of {@link io.github.snowmint.Store#sqlite}, because two do not see each other's locks.
 * </ul>
 */
public final class JdbcStore implements WorkerStore, SegmentStore {
  /** The default bound for an answer of the database. */
  public static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private static final long ANSWER_MS_MAX = 3_600_000;

  private final Transactions transactions;
  private final String schema;
  private final String keySpace;
  private final boolean isSynchronous;
  private final StoreCalls calls;

  /**
   * Creates a store in a database, which waits up to {@link #ANSWER_WITHIN} for an answer. Calls
   * nothing yet.
   *
   * @param source the source of connections
   */
  public JdbcStore(DataSource source) {
    this(source, ANSWER_WITHIN);
  }

  /**
   * Creates a store in a database. Calls nothing yet.
   *
   * @param source the source of connections
   * @param answerWithin how long to wait for an answer of the database, 1 ms to an hour
   */
  public JdbcStore(DataSource source, Duration answerWithin) {
    this(transactions(source, answerWithin), null, null, false);
  }

  private static Transactions transactions(DataSource source, Duration answerWithin) {
    given(source, "source");
    long answerMs = Arguments.millis(answerWithin, "answerWithin");
    if (answerMs < 1 || answerMs > ANSWER_MS_MAX) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          "an answer within " + answerWithin + " is not possible: use 1 ms to an hour");
    }
    return new Transactions(source, (int) answerMs);
  }

  private JdbcStore(
      Transactions transactions, String schema, String keySpace, boolean isSynchronous) {
    this.transactions = transactions;
    this.schema = schema;
    this.keySpace = keySpace;
    this.isSynchronous = isSynchronous;
    long handle =
        Native.openSessions(
            transactions, schema, keySpace, isSynchronous, transactions.answerMs());
    calls = new StoreCalls(handle, transactions);
  }

  /**
   * Returns this store with its tables in a named schema of PostgreSQL. Otherwise they are in
   * {@code snowmint}, whatever {@code search_path} is. A second schema is a second key space.
   *
   * @param name the schema, of 1 to 63 bytes
   * @return a store on the same {@code DataSource}
   */
  public JdbcStore withSchema(String name) {
    return new JdbcStore(transactions, given(name, "name"), keySpace, isSynchronous);
  }

  /**
   * Returns this store with a required key space, as {@code key_space=} in a URL: tables of another
   * one are refused ({@link Code#INCARNATION_CHANGED}). {@link #createTables} then creates none.
   * Otherwise the store keeps to the key space that it sees first, and a new process accepts tables
   * that were created again.
   *
   * @param id the identity of the key space, of 32 hexadecimal digits, as {@code snowmint migrate}
   *     prints it
   * @return a store on the same {@code DataSource}
   */
  public JdbcStore withKeySpace(String id) {
    return new JdbcStore(transactions, schema, given(id, "id"), isSynchronous);
  }

  /**
   * Returns this store with your statement that each standby of PostgreSQL that may be promoted
   * confirms each commit ({@code synchronous_standby_names = '2 (a, b)'}, not {@code 'a, b'}). A
   * standby that takes over then goes on by itself. This is not checked: numbers that the standby
   * lacks are issued again.
   *
   * @return a store on the same {@code DataSource}
   */
  public JdbcStore withSynchronousReplication() {
    return new JdbcStore(transactions, schema, keySpace, true);
  }

  /**
   * Creates the library's three tables if they do not exist. They are a key space of their own,
   * which repeats the IDs of every other. On PostgreSQL they are in a schema of their own, which is
   * created as well. If all exist, nothing is created, and no right to do so is needed. Any number
   * of processes may call this at once.
   *
   * @throws SnowmintException {@link Code#STORE_SCHEMA} if some exist and others do not, or if they
   *     are of another version, in another schema while none is named, without their triggers, or
   *     of an engine without transactions. {@link Code#STORE_MISSING} or
   *     {@link Code#INCARNATION_CHANGED} if the key space of {@link #withKeySpace} is not there
   */
  public void createTables() {
    hasTables(true);
  }

  /**
   * Returns true if the library's three tables exist.
   *
   * @return true if {@link #createTables} has nothing to create
   * @throws SnowmintException {@link Code#STORE_SCHEMA} if they are not as they should be, or
   *     another code if the database does not answer
   */
  public boolean hasTables() {
    return hasTables(false);
  }

  private boolean hasTables(boolean create) {
    long answerMs = transactions.answerMs();
    return Waiting.blocking(
        () ->
            Native.sessionsTables(
                transactions, schema, keySpace, isSynchronous, answerMs, create));
  }

  /**
   * Returns the class of the DataSource, for logs and debuggers. The rest may contain a password.
   */
  @Override
  public String toString() {
    return "JdbcStore[" + transactions.sourceName() + "]";
  }

  @Override
  public Allocation allocate(String tag, OptionalLong count) {
    return calls.allocate(tag, count);
  }

  @Override
  public void createTag(String tag, TagOptions options) {
    calls.createTag(tag, options);
  }

  @Override
  public TagRow changeTag(String tag, TagChange change) {
    return calls.changeTag(tag, change);
  }

  /**
   * Confirms, as an operator, a server that took another's place: raised as described here, it has
   * every number that was given. This ends every {@link Code#INCARNATION_CHANGED} of tags and of
   * their creation, in one transaction. Each statement may take the store's {@code answerWithin}:
   * with very many tags, use a store with a longer bound.
   *
   * @param server the server that you confirm, as its refusals name it; any other server refuses
   * @param raiseBySteps by how many steps to raise each tag with ranges that may be lost; a step
   *     counts as the tag's last range if that was longer
   * @param newFrom the start of tags created from now on, if tags may be lost: above every number
   *     that was given of any lost tag. A lower value than the present one changes nothing. Reset
   *     it to 0 once each lost tag is there again or is gone for good
   * @return the rows of the raised tags, by tag
   */
  public List<TagRow> vouch(String server, long raiseBySteps, OptionalLong newFrom) {
    return calls.vouch(server, raiseBySteps, newFrom);
  }

  @Override
  public Optional<TagRow> tag(String tag) {
    return calls.tag(tag);
  }

  @Override
  public List<TagRow> tags() {
    return calls.tags();
  }

  @Override
  public Lease acquire(LeaseRequest request) {
    return calls.acquire(request);
  }

  @Override
  public Lease renew(Lease lease, byte[] next, int reserveMs) {
    return calls.renew(lease, next, reserveMs);
  }

  @Override
  public void release(Lease lease) {
    calls.release(lease);
  }

  @Override
  public List<WorkerRow> workers() {
    return calls.workers();
  }

  @Override
  public boolean evict(String realm, long workerId) {
    return calls.evict(realm, workerId);
  }
}
