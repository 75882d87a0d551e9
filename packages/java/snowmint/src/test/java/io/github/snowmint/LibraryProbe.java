package io.github.snowmint;

import java.nio.file.Files;
import java.nio.file.Path;

/** Loads the library in a process of its own, and prints its version and the file it came from. */
final class LibraryProbe {
  private LibraryProbe() {}

  public static void main(String[] arguments) throws Exception {
    System.out.println(Snowmint.version());
    Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("snowmint_java"))
        .map(line -> line.substring(line.indexOf('/')))
        .distinct()
        .forEach(System.out::println);
  }
}
