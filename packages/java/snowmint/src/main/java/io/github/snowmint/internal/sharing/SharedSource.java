package io.github.snowmint.internal.sharing;

import io.github.snowmint.IdSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A source that generators of the same configuration share. It opens for the first generator and
 * closes with the last. Frameworks create generators to check a configuration, and again whenever
 * they read it, but two sources cannot have the same worker ID.
 *
 * <p>It is opened and closed {@linkplain Apart apart}, because a managed {@code DataSource} would
 * enlist the connections in the caller's transaction.
 */
public final class SharedSource {
  private static final Map<Object, SharedSource> SOURCES = new ConcurrentHashMap<>();

  /** The bound for releasing the worker ID, before a framework that ends closes its connections. */
  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(5);

  private final Object key;
  private final ReentrantLock lock = new ReentrantLock();
  private IdSource source;
  private int users;
  private boolean ended;

  private SharedSource(Object key) {
    this.key = key;
  }

  /** Returns the source of a key. The caller must call {@link #leave} once. */
  public static SharedSource of(Object key, Supplier<IdSource> opener) {
    while (true) {
      SharedSource shared = SOURCES.computeIfAbsent(key, SharedSource::new);
      if (shared.join(opener)) {
        return shared;
      }
    }
  }

  /** Returns the source, which is open until the last user leaves. */
  public IdSource source() {
    return source;
  }

  private boolean join(Supplier<IdSource> opener) {
    lock.lock();
    try {
      if (ended) {
        return false;
      }
      if (users == 0) {
        source = Apart.call(opener);
      }
      users++;
      return true;
    } finally {
      if (users == 0) {
        end();
      }
      lock.unlock();
    }
  }

  /** Releases the source. The last user closes it. */
  public void leave() {
    lock.lock();
    try {
      users--;
      if (users == 0) {
        // Close it before another source opens, which may be refused while this one is open.
        try {
          Apart.run(() -> source.close(CLOSED_WITHIN));
        } finally {
          end();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    ended = true;
    SOURCES.remove(key, this);
  }
}
