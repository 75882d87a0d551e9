package io.github.snowmint;

import java.time.Duration;
import java.util.PrimitiveIterator;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * An opened source of IDs. Any number of threads may share one. After {@link #close} every call
 * that mints fails with {@link Code#CLOSED}, but of UUIDs, which have nothing to be closed.
 *
 * <p>{@code for (long id : source)} takes one ID after another, without an end: what ends it is
 * {@code break}, or what {@link #nextId} throws.
 */
public sealed interface IdSource extends AutoCloseable, Iterable<Long>
    permits Snowflake, Segment, Daily, Sequences, UuidSource, Ring {

  /**
   * Opens a source by its URL.
   *
   * <ul>
   *   <li>{@code snowflake:?worker_id=7}: a {@link Snowflake} with a fixed worker ID; also
   *       {@code env}, {@code env:NAME}, {@code ordinal}, {@code ip}
   *   <li>{@code snowflake+sqlite:ids.db?create=true}: a {@link Snowflake} with a worker ID leased from the
   *       file
   *   <li>{@code segment+sqlite:ids.db?tag=orders}: a {@link Segment}
   *   <li>{@code daily+sqlite:ids.db?tag=orders&zone=UTC}: a {@link Daily}
   *   <li>{@code sequences+sqlite:ids.db?tag=chat}: {@link Sequences}, whose {@link Sequences#next}
   *       mints
   *   <li>{@code uuid:?version=7}: a {@link UuidSource}
   *   <li>{@code snowflake:?worker_id=7&ring=1024}, and the same with other snowflakes, segments and
   *       daily numbers: a {@link Ring} of IDs made ahead
   * </ul>
   *
   * <p>Further parameters: {@code layout}, {@code epoch_ms}, {@code tick_ms}, {@code policy},
   * {@code max_ahead_ms}, {@code start}, {@code reserve_ms}, {@code state} and {@code require_state}
   * of snowflakes; {@code step} of all with a tag; {@code prefetch} of segments and daily numbers;
   * {@code zone} and {@code digits} of daily numbers; {@code keys_per_section} of sequences;
   * {@code ring}, {@code ring_refill} and {@code ring_every_ms} of a {@link Ring};
   * {@code wait_ms} of all but UUIDs, which bounds calls on the source and not this one. A path is taken as it
   * stands, up to the {@code ?}; values may be percent-encoded.
   *
   * <p>A thread that is interrupted while a store is asked waits no longer, and stays interrupted:
   * {@link Code#WAIT_TIMEOUT}, and what opens after that is closed.
   *
   * @param url the URL
   * @return the source; {@link Code#INVALID_URL}, {@link Code#UNKNOWN_SCHEME},
   *     {@link Code#UNKNOWN_PARAMETER}, {@link Code#INVALID_PARAMETER}, and those of the source
   */
  static IdSource open(String url) {
    return Opening.open(null, url, IdSource.class);
  }

  /**
   * The next ID, waiting up to the source's bound.
   *
   * @return 64 bits without a sign; {@link Code#UNSUPPORTED} of {@link UuidSource}, as of all calls
   *     for 64-bit IDs, and of {@link Sequences}, which need a key
   */
  long nextId();

  /**
   * The next ID, waiting up to a bound; {@link Duration#ZERO} never waits. A thread that is
   * interrupted waits no longer, and stays interrupted: the call fails with what it waited for, or
   * with a {@link Code#WAIT_TIMEOUT} that says so.
   *
   * @param wait the bound, rounded up to milliseconds
   * @return 64 bits without a sign
   */
  long nextIdWithin(Duration wait);

  /**
   * Rising IDs.
   *
   * @param count 1 to {@link Snowmint#MAX_COUNT}, else {@link Code#COUNT_OUT_OF_RANGE}
   * @return so many
   */
  long[] nextIds(int count);

  /**
   * Fills an array with rising IDs. When it fails, what the array then holds is given up: a gap.
   *
   * @param ids the array; an empty one is nothing wrong
   */
  void fill(long[] ids);

  /**
   * The IDs one by one, without an end, for one consumer. What fails is thrown by the consuming
   * call.
   *
   * @return a stream that mints as it is consumed
   */
  LongStream stream();

  /**
   * The IDs one by one, without an end.
   *
   * @return an iterator that mints as it is asked
   */
  @Override
  PrimitiveIterator.OfLong iterator();

  /**
   * The next UUID.
   *
   * @return a UUID; {@link Code#UNSUPPORTED} of every source but {@link UuidSource}
   */
  UUID nextUuid();

  /**
   * How long a call waits for an ID.
   *
   * @return the bound
   */
  Duration maxWait();

  /**
   * What it is doing: its worker ID, what is reserved or at hand, how fast that is used, what last
   * went wrong with the store. Asking changes nothing and waits for no store.
   *
   * @return its state at this moment
   */
  Stats stats();

  /**
   * Stops minting and gives up what is reserved, without waiting for a store: a thread of the
   * source's gives a leased worker ID back. A process that ends before that leaves it to the lease's
   * end, two seconds to a minute. Closing twice is no error.
   */
  @Override
  void close();

  /**
   * As {@link #close()}, and waits until the store has a leased worker ID back.
   *
   * @param wait the bound; {@link Code#WAIT_TIMEOUT} or the store's error if it does not know by
   *     then: the lease then ends by itself, and the source is closed all the same
   */
  void close(Duration wait);
}
