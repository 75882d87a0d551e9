package io.github.snowmint;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads the library in a process of its own, and prints its version and the file it came from. The
 * process maps the file that {@code probe.mapped} names, as a loader maps a C library.
 */
final class LibraryProbe {
  private static MappedByteBuffer mapped;

  private LibraryProbe() {}

  public static void main(String[] arguments) throws Exception {
    String file = System.getProperty("probe.mapped");
    if (file != null) {
      try (FileChannel channel = FileChannel.open(Path.of(file))) {
        mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      }
    }
    System.out.println(Snowmint.version());
    Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("snowmint_java"))
        .map(line -> line.substring(line.indexOf('/')))
        .distinct()
        .forEach(System.out::println);
  }
}
