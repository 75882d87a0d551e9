package io.github.snowmint;

import java.time.Duration;
import java.util.PrimitiveIterator;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * An opened source of IDs. Any number of threads may share it. After {@link #close} every call that
 * mints fails with {@link Code#CLOSED}, except for UUIDs, which have nothing to close.
 *
 * <p>{@code for (long id : source)} mints IDs without an end. {@code break} or an exception of
 * {@link #nextId} ends the loop.
 */
public sealed interface IdSource extends AutoCloseable, Iterable<Long>
    permits Snowflake, Segment, Daily, Sequences, UuidSource, Ring {

  /**
   * Opens a source by its URL.
   *
   * <ul>
   *   <li>{@code snowflake:?worker_id=7}: a {@link Snowflake} with a fixed worker ID; also
   *       {@code env}, {@code env:NAME}, {@code ordinal}, {@code ip}
   *   <li>{@code snowflake+sqlite:ids.db?create=true}: a {@link Snowflake} with a worker ID leased
   *       from the file
   *   <li>{@code segment+sqlite:ids.db?tag=orders}: a {@link Segment}
   *   <li>{@code daily+sqlite:ids.db?tag=orders&zone=UTC}: a {@link Daily}
   *   <li>{@code sequences+sqlite:ids.db?tag=chat}: {@link Sequences}, which mint by
   *       {@link Sequences#next}
   *   <li>{@code uuid:?version=7}: a {@link UuidSource}
   *   <li>{@code snowflake:?worker_id=7&ring=1024}, and other snowflakes, segments and daily
   *       numbers with {@code ring}: a {@link Ring} of IDs made ahead
   * </ul>
   *
   * <p>Further parameters:
   *
   * <ul>
   *   <li>snowflakes: {@code layout}, {@code epoch_ms}, {@code tick_ms}, {@code policy},
   *       {@code max_ahead_ms}, {@code start}, {@code reserve_ms}, {@code state},
   *       {@code require_state}
   *   <li>all with a tag: {@code step}
   *   <li>segments and daily numbers: {@code prefetch}
   *   <li>daily numbers: {@code zone}, {@code digits}
   *   <li>sequences: {@code keys_per_section}
   *   <li>a {@link Ring}: {@code ring}, {@code ring_refill}, {@code ring_every_ms}
   *   <li>all but UUIDs: {@code wait_ms}, which bounds calls on the source and not this call
   * </ul>
   *
   * <p>The path ends at the {@code ?}, and is not decoded. Values may be percent-encoded.
   *
   * <p>If the thread is interrupted during a call of the store, it stops waiting and stays
   * interrupted. The call fails with {@link Code#WAIT_TIMEOUT}, and a source that opens later is
   * closed.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_URL}, {@link Code#UNKNOWN_SCHEME},
   *     {@link Code#UNKNOWN_PARAMETER}, {@link Code#INVALID_PARAMETER}, or an error of the source
   */
  static IdSource open(String url) {
    return Opening.open(null, url, IdSource.class);
  }

  /**
   * Returns a source that opens at its first use, so that a class can be loaded without its store.
   * Only the URL is read. A static field may hold it:
   *
   * <pre>{@code
   * static final IdSource IDS = IdSource.lazy("snowflake+sqlite:/var/lib/shop/ids.db");
   * }</pre>
   *
   * <p>The first call that mints, or {@link #check}, opens it within its bound. If opening fails,
   * the call fails with the error. A later call tries again, after at most half a second. Threads
   * that use it first at the same time open it once. {@link #close} before the first use keeps it
   * from being opened.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_URL}, {@link Code#UNKNOWN_SCHEME},
   *     {@link Code#UNKNOWN_PARAMETER}, {@link Code#INVALID_PARAMETER}
   */
  static IdSource lazy(String url) {
    return Opening.lazy(null, url, IdSource.class);
  }

  /**
   * Opens the source if it is {@link #lazy} and nothing has used it. Waits up to the source's bound.
   *
   * @throws SnowmintException as {@link #open}
   */
  void check();

  /**
   * Returns the next ID, waiting up to the source's bound.
   *
   * @return the ID, an unsigned number of 64 bits
   * @throws SnowmintException {@link Code#UNSUPPORTED} for {@link Sequences}, which need a key, and
   *     for {@link UuidSource}, which supports no call for 64-bit IDs
   */
  long nextId();

  /**
   * Returns the next ID, waiting up to a bound. {@link Duration#ZERO} never waits. An interrupted
   * thread stops waiting, and stays interrupted. The call then fails with the reason of the wait,
   * or with a {@link Code#WAIT_TIMEOUT} that names the interrupt.
   *
   * @param wait the bound, rounded up to milliseconds
   * @return the ID, an unsigned number of 64 bits
   */
  long nextIdWithin(Duration wait);

  /**
   * Returns rising IDs.
   *
   * @param count 1 to {@link Snowmint#MAX_COUNT}
   * @return that many IDs
   * @throws SnowmintException {@link Code#COUNT_OUT_OF_RANGE} for another count
   */
  long[] nextIds(int count);

  /**
   * Fills an array with rising IDs. If it fails, the IDs that the array then holds are a gap.
   *
   * @param ids the array, which may be empty
   */
  void fill(long[] ids);

  /**
   * Returns the IDs one by one, without an end, for one consumer. The consuming call throws a
   * failure.
   *
   * @return a stream that mints as it is consumed
   */
  LongStream stream();

  /**
   * Returns the IDs one by one, without an end.
   *
   * @return an iterator that mints as it is asked
   */
  @Override
  PrimitiveIterator.OfLong iterator();

  /**
   * Returns the next UUID.
   *
   * @return a UUID
   * @throws SnowmintException {@link Code#UNSUPPORTED} for every source except {@link UuidSource}
   */
  UUID nextUuid();

  /**
   * Returns how long a call waits for an ID.
   *
   * @return the bound
   */
  Duration maxWait();

  /**
   * Returns the state of the source, such as its worker ID, its reserved time or numbers, its rate,
   * and the last failure of its store. Reading it changes nothing and waits for no store.
   *
   * @return its state at this moment
   */
  Stats stats();

  /**
   * Stops minting and gives up the reservation, without waiting for a store. A thread of the source
   * releases a leased worker ID. If the process ends before that, the lease expires after two
   * seconds to a minute. Closing twice is no error.
   */
  @Override
  void close();

  /**
   * Closes like {@link #close()}, and waits until the store has released a leased worker ID.
   *
   * @param wait the bound
   * @throws SnowmintException {@link Code#WAIT_TIMEOUT} or the store's error if the store does not
   *     know by then. The source is closed all the same, and the lease expires by itself.
   */
  void close(Duration wait);
}
