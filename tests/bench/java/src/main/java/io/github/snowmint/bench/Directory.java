package io.github.snowmint.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory of one fork. */
final class Directory implements AutoCloseable {
  final Path path;

  Directory() {
    try {
      path = Files.createTempDirectory("snowmint-bench-");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
