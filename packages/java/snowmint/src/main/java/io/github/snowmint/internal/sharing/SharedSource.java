package io.github.snowmint.internal.sharing;

import io.github.snowmint.IdSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A source that generators of the same configuration share: opened for the first of them, closed
 * when the last lets go. Frameworks make generators to check a configuration, and others whenever
 * they read it anew; the worker ID of one source cannot be taken twice.
 *
 * <p>Opened and closed {@linkplain Apart apart}: a managed {@code DataSource} would enlist the
 * connections in the caller's transaction.
 */
public final class SharedSource {
  private static final Map<Object, SharedSource> SOURCES = new ConcurrentHashMap<>();

  /** A framework that ends takes its connections away: the worker ID is given back before. */
  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(5);

  private final Object key;
  private final ReentrantLock lock = new ReentrantLock();
  private IdSource source;
  private int users;
  private boolean ended;

  private SharedSource(Object key) {
    this.key = key;
  }

  /** The source of a key, which the caller lets go of once. */
  public static SharedSource of(Object key, Supplier<IdSource> opener) {
    while (true) {
      SharedSource shared = SOURCES.computeIfAbsent(key, SharedSource::new);
      if (shared.join(opener)) {
        return shared;
      }
    }
  }

  /** The source, open until the last has let go. */
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

  /** Lets go. */
  public void leave() {
    lock.lock();
    try {
      users--;
      if (users == 0) {
        // Closed before another can be opened: it may be refused while this is open.
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
