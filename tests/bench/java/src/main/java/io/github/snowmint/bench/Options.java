package io.github.snowmint.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The options of the command line.
 *
 * @param jar the jar that is measured
 * @param floor the library of {@code floor/}
 * @param rounds how often everything is measured
 * @param quick measures short, to see that it runs
 * @param form how the lines are printed
 */
record Options(Path jar, Path floor, int rounds, boolean quick, Form form) {
  enum Form {
    PLAIN,
    MARKDOWN,
    JSON
  }

  private static final String USAGE =
      "usage: tests/bench/java/run [--jar PATH] [--rounds N | --quick] [--json | --markdown]";

  /** Ends the process with the usage where the arguments are not of it. */
  static Options of(String[] arguments) {
    Options options = new Options(null, null, 5, false, Form.PLAIN);
    Iterator<String> given = Arrays.asList(arguments).iterator();
    while (given.hasNext()) {
      options = options.with(given.next(), given);
    }
    return options;
  }

  private Options with(String name, Iterator<String> given) {
    return switch (name) {
      case "--jar" -> new Options(Path.of(value(given)), floor, rounds, quick, form);
      case "--floor" -> new Options(jar, Path.of(value(given)), rounds, quick, form);
      case "--rounds" -> new Options(jar, floor, count(value(given)), quick, form);
      case "--quick" -> new Options(jar, floor, 1, true, form);
      case "--json" -> new Options(jar, floor, rounds, quick, Form.JSON);
      case "--markdown" -> new Options(jar, floor, rounds, quick, Form.MARKDOWN);
      default -> throw usage(name.equals("--help") ? 0 : 2);
    };
  }

  private static String value(Iterator<String> given) {
    if (!given.hasNext()) {
      throw usage(2);
    }
    return given.next();
  }

  private static int count(String text) {
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw usage(2);
    }
    return Integer.parseInt(text);
  }

  private static IllegalStateException usage(int status) {
    (status == 0 ? System.out : System.err).println(USAGE);
    System.exit(status);
    return new IllegalStateException("the process has ended");
  }
}
