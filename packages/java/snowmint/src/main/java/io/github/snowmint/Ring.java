package io.github.snowmint;

import java.util.Optional;

/**
 * IDs of a snowflake, a segment or a source of daily numbers, made ahead by a thread of the ring's
 * own: a call takes what is ready, whatever the clock, the store or a full tick are at. It is
 * opened by URL alone: {@code IdSource.open("snowflake:?worker_id=7&ring=1024")}.
 *
 * <ul>
 *   <li><em>Measures</em>: {@code ring} is how many IDs can be ready, a power of two up to
 *       1,048,576. The ring is filled up when fewer than {@code ring_refill} percent of it are
 *       ready, 30 unless set, and every {@code ring_every_ms} while IDs are taken, 1000 unless set.
 *   <li><em>Order</em>: IDs rise strictly in issue order, as the source's do.
 *   <li><em>Age</em>: a snowflake that has been ready for {@code ring_every_ms} is thrown away: by
 *       so much its time can be older than that of one made at once; by twice that where the clock
 *       is set back meanwhile. Daily numbers are thrown away when their day ends. A segment's
 *       numbers have no age.
 *   <li><em>Empty</em>: a call waits up to its bound, and fails with {@link Code#EMPTY} or with
 *       what keeps the source from making more. The ring is empty before the first call, and when nobody
 *       has taken from it for a while.
 *   <li><em>Gaps</em>: what is thrown away, and what is ready when the ring is closed.
 *   <li><em>Threads</em>: share it; taking what is ready takes no lock. A virtual thread that waits
 *       parks, and pins no carrier.
 *   <li><em>Copies</em>: a process that goes on from an image (CRaC, SnapStart, a machine's
 *       snapshot) has to be told, by {@link Snowmint#onRestore}: it begins with an empty ring.
 * </ul>
 *
 * <p>Calls fail as those of the source. {@link #stats} are the source's, the ring first among the
 * buckets. Closing the ring closes the source.
 */
public final class Ring extends MintingSource implements IdSource {
  private final Layout layout;

  Ring(long handle, long waitMs, Layout layout) {
    super(handle, waitMs);
    this.layout = layout;
  }

  /**
   * Opens one by its URL, as {@link IdSource#open} does.
   *
   * @param url the URL
   * @return the source; {@link Code#INVALID_PARAMETER} for the URL of another kind, and those of
   *     {@link IdSource#open}
   */
  public static Ring open(String url) {
    return Opening.open("ring", url, Ring.class);
  }

  /**
   * The layout of its IDs.
   *
   * @return the layout, if they are snowflakes
   */
  public Optional<Layout> layout() {
    return Optional.ofNullable(layout);
  }
}
