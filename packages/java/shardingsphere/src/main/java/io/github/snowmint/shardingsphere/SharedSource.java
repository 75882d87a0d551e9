package io.github.snowmint.shardingsphere;

import io.github.snowmint.IdSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A source that generators of the same properties share: opened for the first of them, closed when
 * the last lets go. ShardingSphere makes a generator to check its configuration, and others
 * whenever it builds its rules anew; the worker ID of one source cannot be taken twice.
 */
final class SharedSource {
  private static final Map<List<Object>, SharedSource> SOURCES = new ConcurrentHashMap<>();

  private final List<Object> key;
  private final ReentrantLock lock = new ReentrantLock();
  private IdSource source;
  private int users;
  private boolean ended;

  private SharedSource(List<Object> key) {
    this.key = key;
  }

  /** The source of a key, which the caller lets go of once. */
  static SharedSource of(List<Object> key, Supplier<IdSource> opener) {
    while (true) {
      SharedSource shared = SOURCES.computeIfAbsent(key, SharedSource::new);
      if (shared.join(opener)) {
        return shared;
      }
    }
  }

  IdSource source() {
    return source;
  }

  private boolean join(Supplier<IdSource> opener) {
    lock.lock();
    try {
      if (ended) {
        return false;
      }
      if (users == 0) {
        source = opener.get();
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

  void leave() {
    lock.lock();
    try {
      users--;
      if (users == 0) {
        // Closed before another can be opened: it may be refused while this is open.
        try {
          source.close();
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
