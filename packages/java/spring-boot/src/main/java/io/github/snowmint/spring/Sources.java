package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Stats;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * All sources of the application, by the names of their beans. Those that entities have beside the
 * beans are named by an attribute, such as {@code Invoice.id}.
 */
final class Sources {
  private final Map<String, IdSource> beans;
  private final OpenedSources opened;

  Sources(Map<String, IdSource> beans, OpenedSources opened) {
    this.beans = Map.copyOf(beans);
    this.opened = opened;
  }

  Map<String, IdSource> all() {
    Map<String, IdSource> all = new TreeMap<>(opened.all());
    all.putAll(beans);
    return all;
  }

  /** Calls a watcher for each source, now and when an entity opens another one. */
  void watch(BiConsumer<String, IdSource> watcher) {
    beans.forEach(watcher);
    opened.watch(watcher);
  }

  /**
   * Returns true if a source can mint: it is open, and has numbers at hand or a store that answers.
   * A store that is down for a while is no reason for a restart.
   */
  static boolean isReady(Stats stats) {
    return !stats.isClosed() && !(isFailing(stats) && isUsedUp(stats));
  }

  /** Returns true if the store's last answer was a failure. */
  static boolean isFailing(Stats stats) {
    return present(stats).isPresent();
  }

  /** Returns true if an operator has to act, because asking the store again does not help. */
  static boolean isFenced(Stats stats) {
    return present(stats).filter(failure -> !failure.code().isTransient()).isPresent();
  }

  /** Returns the number of the present failure's code, or 0. */
  static int failureCode(Stats stats) {
    return present(stats).map(failure -> failure.code().number()).orElse(0);
  }

  /** Returns the failure of the store that is not over. */
  private static Optional<Stats.Failure> present(Stats stats) {
    return stats.lastFailure().filter(failure -> !failure.isOver());
  }

  /** Returns the tag's next number, or NaN before the first range. */
  static double tagNext(Stats stats) {
    return stats.tagNext().map(tag -> (double) tag.next()).orElse(Double.NaN);
  }

  private static boolean isUsedUp(Stats stats) {
    return stats.reservedMs().isPresent()
        ? stats.reservedMs().getAsLong() <= 0
        : atHand(stats) == 0;
  }

  /** Returns how many numbers need no store. */
  static long atHand(Stats stats) {
    return stats.buckets().stream().mapToLong(Stats.Bucket::left).sum();
  }

  /** Returns the details that an operator needs first. */
  static Map<String, Object> details(Stats stats) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("kind", stats.kind());
    if (stats.isClosed()) {
      details.put("closed", true);
    }
    stats.workerId().ifPresent(id -> details.put("workerId", id));
    stats.reservedMs().ifPresent(ms -> details.put("reservedMs", ms));
    if (!stats.buckets().isEmpty()) {
      details.put("atHand", atHand(stats));
    }
    present(stats)
        .ifPresent(
            failure -> {
              details.put("code", failure.code().label());
              details.put("failure", failure.message());
            });
    return details;
  }
}
