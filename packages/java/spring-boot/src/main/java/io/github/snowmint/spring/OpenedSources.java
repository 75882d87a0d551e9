package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The open sources that entities have beside the beans, by the attributes that use them. */
final class OpenedSources {
  private final Map<String, IdSource> sources = new TreeMap<>();
  private final List<BiConsumer<String, IdSource>> watchers = new ArrayList<>();

  /** Adds a source, unless another attribute uses it as well. */
  synchronized void add(String attribute, IdSource source) {
    if (sources.containsValue(source)) {
      return;
    }
    sources.put(attribute, source);
    watchers.forEach(watcher -> watcher.accept(attribute, source));
  }

  /** Returns the sources that did not close with their {@code EntityManagerFactory}. */
  synchronized Map<String, IdSource> all() {
    sources.values().removeIf(source -> source.stats().isClosed());
    return Map.copyOf(sources);
  }

  /** Calls a watcher for each source, now and when it opens. */
  synchronized void watch(BiConsumer<String, IdSource> watcher) {
    watchers.add(watcher);
    sources.forEach(watcher);
  }
}
