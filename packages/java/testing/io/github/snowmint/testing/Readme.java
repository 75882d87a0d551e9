package io.github.snowmint.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** Takes the examples out of README.md, and runs those in Java. */
public final class Readme {
  private Readme() {}

  /** The blocks of one language. */
  public static List<String> blocks(String language) throws Exception {
    String readme = Files.readString(Path.of(System.getProperty("readme")));
    Matcher fences =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
            .matcher(readme);
    List<String> blocks = new ArrayList<>();
    while (fences.find()) {
      blocks.add(fences.group(1));
    }
    return blocks;
  }

  /**
   * Compiles a class {@code Example}, runs its {@code main}, and returns what that prints; a second
   * start has to come to its end as well.
   */
  public static String run(String source, Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("Example.java"), source);
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
          .loadClass("Example")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(usual);
      thread.setContextClassLoader(parent);
    }
    return said.toString(StandardCharsets.UTF_8);
  }
}
