package io.github.snowmint;

import java.util.Optional;

/**
 * IDs of a snowflake, a segment or a source of daily numbers, made ahead by a thread of the ring. A
 * call takes a ready ID, whatever the clock and the store do, and even during a full tick. Only a
 * URL opens it: {@code IdSource.open("snowflake:?worker_id=7&ring=1024")}.
 *
 * <ul>
 *   <li><em>Measures</em>: {@code ring} is how many IDs can be ready, a power of two up to
 *       1,048,576. The ring is refilled when fewer than {@code ring_refill} percent of it are ready
 *       (default 30), and every {@code ring_every_ms} while IDs are taken (default 1000).
 *   <li><em>Order</em>: IDs rise strictly in issue order, as the source's do.
 *   <li><em>Age</em>: a snowflake that has been ready for {@code ring_every_ms} is discarded. Its
 *       time can be older by that much than that of an ID made at once, or by twice that if the
 *       clock is set back meanwhile. Daily numbers are discarded when their day ends. A segment's
 *       numbers do not age.
 *   <li><em>Empty</em>: a call waits up to its bound, and fails with {@link Code#EMPTY} or with the
 *       error that keeps the source from making more. The ring is empty before the first call, and
 *       when it has not been used for a while.
 *   <li><em>Gaps</em>: discarded IDs, and IDs that are ready when the ring is closed.
 *   <li><em>Threads</em>: share it. Taking a ready ID takes no lock. A virtual thread that waits
 *       parks, and pins no carrier.
 *   <li><em>Copies</em>: tell a process that continues from an image (CRaC, SnapStart, a machine's
 *       snapshot) by {@link Snowmint#onRestore}. It begins with an empty ring.
 * </ul>
 *
 * <p>Calls fail like those of the source. {@link #stats} are the source's, with the ring first
 * among the buckets. Closing the ring closes the source.
 */
public final class Ring extends MintingSource implements IdSource {
  private final Layout layout;

  Ring(long handle, long waitMs, Layout layout) {
    super(handle, waitMs);
    this.layout = layout;
  }

  /**
   * Opens a ring by its URL, like {@link IdSource#open}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#open}
   */
  public static Ring open(String url) {
    return Opening.open("ring", url, Ring.class);
  }

  /**
   * Returns a source that opens at its first use, like {@link IdSource#lazy}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#lazy}
   */
  public static Ring lazy(String url) {
    return Opening.lazy("ring", url, Ring.class);
  }

  /**
   * Returns the layout of its IDs.
   *
   * @return the layout, if they are snowflakes
   */
  public Optional<Layout> layout() {
    return Optional.ofNullable(layout);
  }
}
