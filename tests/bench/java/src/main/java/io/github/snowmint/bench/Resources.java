package io.github.snowmint.bench;

import java.util.ArrayDeque;
import java.util.Deque;

/** The resources that a benchmark opened, closed in reverse. */
final class Resources implements AutoCloseable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T resource) {
    opened.push(resource);
    return resource;
  }

  @Override
  public void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
