package io.github.snowmint.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Runs the example of a module: {@code Shop.java} in the directory that a property names. */
public final class Example {
  private Example() {}

  /** The text of a file of the example. */
  public static String read(String file) throws Exception {
    return Files.readString(Path.of(System.getProperty("example"), file));
  }

  /**
   * Compiles the example, runs its {@code main}, and returns its output. A second start has to succeed
   * as well.
   */
  public static String run(String source, Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("Shop.java"), source);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                said,
                said,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                directory.toString(),
                file.toString());
    assertEquals(0, compiled, said::toString);
    String first = main(directory);
    main(directory);
    return first;
  }

  private static String main(Path directory) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream usual = System.out;
    Thread thread = Thread.currentThread();
    ClassLoader parent = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, parent)) {
      thread.setContextClassLoader(loader);
      System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
      loader
          .loadClass("shop.Shop")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(usual);
      thread.setContextClassLoader(parent);
    }
    return said.toString(StandardCharsets.UTF_8);
  }
}
