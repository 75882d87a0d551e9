package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.StoreCalls;
import io.github.snowmint.internal.sharing.Apart;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A store of the library's own. All processes of one machine can share an SQLite file. All machines
 * that reach it can share a database of PostgreSQL, MariaDB or MySQL, a Redis, an etcd, a ZooKeeper
 * or an ID service. A store in memory ends with the process.
 *
 * <p>Any number of threads and sources may share it. It needs no closing: its file or its
 * connections are closed when neither it nor a source on it is reachable.
 */
public final class Store implements WorkerStore, SegmentStore {
  private final StoreCalls calls;
  /** The beginning of its URL. The rest may contain a password. */
  private final String scheme;

  private Store(String scheme, long handle) {
    this.scheme = scheme;
    calls = new StoreCalls(handle, null);
  }

  /**
   * Opens a store: {@code sqlite:ids.db}, {@code postgres://user@host/database}, {@code
   * mysql://user@host/database}, {@code redis://host:6379/0}, {@code etcd://host:2379}, {@code
   * zookeeper://host:2181}, or {@code http://host:8064} of an ID service. With {@code ?create=true} a
   * missing store is created. For tests, {@code memory:NAME} is the store of that name in this
   * process, and {@code memory:} is another one each time.
   *
   * @param url the place of the store
   * @return the store
   * @throws SnowmintException {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or
   *     an error of the store
   */
  public static Store open(String url) {
    Arguments.text(url, "url");
    Supplier<Store> opening = () -> new Store(url.split(":", 2)[0], Native.openStore(url));
    // A store in memory needs no waiting. An unwanted store is freed as every store is.
    return url.startsWith("memory:") ? opening.get() : Apart.open(opening, unwanted -> {});
  }

  /**
   * Creates the tables of a store, as {@code create=true} in its URL does, or begins its key space.
   * Tables that exist and are right stay as they are.
   *
   * @param url the store, for example {@code postgres://owner@host/database}
   * @return the statements that were run
   * @throws SnowmintException {@link Code#STORE_SCHEMA} if only some of the tables exist, or if they
   *     differ from what they should be, and nothing is changed; {@link Code#UNSUPPORTED} for {@code
   *     memory:}; or an error of the store
   */
  public static Migration migrate(String url) {
    return migrate(url, false);
  }

  /**
   * Returns the statements that {@link #migrate} would run, and changes nothing.
   *
   * @param url the store
   * @return the statements
   * @throws SnowmintException as {@link #migrate}
   */
  public static Migration migration(String url) {
    return migrate(url, true);
  }

  private static Migration migrate(String url, boolean isDry) {
    Arguments.text(url, "url");
    List<String> texts = List.of(Apart.call(() -> Native.migrate(url, isDry)));
    Optional<String> keySpace = Optional.of(texts.get(2)).filter(text -> !text.isEmpty());
    return new Migration(
        texts.get(0),
        texts.get(1),
        keySpace,
        texts.get(3),
        List.copyOf(texts.subList(4, texts.size())));
  }

  /**
   * Opens an existing SQLite file. Do not use it on network drives, nor for a file that a JDBC
   * driver uses in the same process: two SQLites in one process do not see each other's locks.
   *
   * @param file the database
   * @return the store
   * @throws SnowmintException {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or
   *     an error of the store
   */
  public static Store sqlite(Path file) {
    return sqlite(file, false);
  }

  /**
   * Opens an SQLite file, and creates it if it is missing. A file is one key space, for one
   * machine: two files repeat each other's IDs.
   *
   * @param file the database
   * @return the store
   * @throws SnowmintException {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or
   *     an error of the store
   */
  public static Store createSqlite(Path file) {
    return sqlite(file, true);
  }

  private static Store sqlite(Path file, boolean create) {
    String path = given(file, "file").toString();
    return Apart.open(
        () -> new Store("sqlite", Native.openSqlite(path, create)), unwanted -> {});
  }

  /**
   * Creates a store for tests, which ends with the process and which no other process sees.
   *
   * @return a new store without a tag
   */
  public static Store memory() {
    return open("memory:");
  }

  long handle() {
    return calls.handle();
  }

  /** Returns the kind of store, for logs and debuggers. */
  @Override
  public String toString() {
    return "Store[" + scheme + "]";
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
   * their creation, in one transaction, within ten minutes.
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
