package readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Snowmint;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The README's examples, compiled and run twice as a user would, each in a directory of its own. */
class ReadmeTest {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SHOWN =
      Pattern.compile("println\\(.*\\); // (.+)$", Pattern.MULTILINE);

  @TempDir Path directory;

  private static String read(String property) throws IOException {
    return Files.readString(Path.of(System.getProperty(property)));
  }

  private static List<String> examples() throws IOException {
    // A new file, in the working directory, in the place of the one that they name.
    String readme = read("readme").replace("/var/lib/shop/ids.db", "ids.db?create=true");
    return BLOCK
        .matcher(readme)
        .results()
        .map(found -> found.group(1))
        .filter(example -> !example.contains("org.junit"))
        .toList();
  }

  private static String jars() {
    return Stream.of(Snowmint.class, SQLiteDataSource.class)
        .map(type -> new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()))
        .map(File::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void theDependencyIsThatOfTheReadme() throws IOException {
    Pattern block = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);
    MatchResult found = block.matcher(read("readme")).results().findFirst().orElseThrow();
    String pom = read("pom").replaceAll("(?m)^ +", "");
    assertTrue(pom.contains(found.group(1).replaceAll("(?m)^ +", "")), pom);
  }

  /** JUnit runs that class beside this one. */
  @Test
  void theClassOfTestsIsThatOfTheReadme() throws IOException {
    Path file = Path.of(System.getProperty("pom"), "../src/test/java/readme/OrdersTest.java");
    String lines = Files.readString(file.normalize()).replace("package readme;\n\n", "");
    assertTrue(read("readme").contains("```java\n" + lines + "```"));
  }

  @TestFactory
  Stream<DynamicTest> onTheClassPath() throws IOException {
    return run(false);
  }

  @TestFactory
  Stream<DynamicTest> onTheModulePath() throws IOException {
    return run(true);
  }

  private Stream<DynamicTest> run(boolean module) throws IOException {
    List<String> examples = examples();
    assertTrue(examples.size() >= 5);
    return IntStream.range(0, examples.size())
        .mapToObj(
            n -> DynamicTest.dynamicTest("example " + (n + 1), () -> run(examples.get(n), module)));
  }

  private void run(String example, boolean module) throws Exception {
    Path home = Files.createTempDirectory(directory, "example");
    Path classes = compile(example, home, module);
    String path = classes + File.pathSeparator + jars();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String options = System.getProperty("jvm.options", "").strip();
    if (!options.isEmpty()) {
      command.addAll(List.of(options.split(" +")));
    }
    command.add("-Duser.home=" + directory);
    command.addAll(
        module
            ? List.of("--module-path", path, "--module", "example/example.Example")
            : List.of("-cp", path, "example.Example"));
    String out = start(command, home);
    start(command, home);
    List<String> shown = SHOWN.matcher(example).results().map(line -> line.group(1)).toList();
    List<String> lines = new ArrayList<>(out.lines().toList());
    lines.retainAll(shown);
    assertEquals(shown, lines, out);
  }

  private static String start(List<String> command, Path home) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
    builder.environment().put("XDG_STATE_HOME", home.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    System.out.print(out);
    return out;
  }

  private static String lines(String example, boolean imports) {
    return example
        .lines()
        .filter(line -> line.startsWith("import ") == imports)
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** Makes a program of the lines. */
  private static Path compile(String example, Path home, boolean module) throws IOException {
    Path sources = Files.createDirectories(home.resolve("src").resolve("example"));
    Path program = sources.resolve("Example.java");
    Files.writeString(
        program,
        "package example;\n"
            + lines(example, true)
            + "class Example {\npublic static void main(String[] arguments) throws Exception {\n"
            + lines(example, false)
            + "}\n}\n");
    Path classes = home.resolve("classes");
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-Xlint:all", "-Werror", "--release", "17", "-d", classes.toString()));
    if (module) {
      Path info = sources.resolveSibling("module-info.java");
      boolean database = example.contains("DataSource");
      String sql = database ? "requires java.sql; requires org.xerial.sqlitejdbc; " : "";
      Files.writeString(info, "module example { requires io.github.snowmint; " + sql + "}\n");
      // Nothing but modules: an empty directory is the class path.
      Path none = Files.createDirectory(home.resolve("none"));
      arguments.addAll(List.of("-cp", none.toString(), "--module-path", jars(), info.toString()));
    } else {
      arguments.addAll(List.of("-cp", jars()));
    }
    arguments.add(program.toString());
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, System.out, System.out, arguments.toArray(String[]::new));
    assertEquals(0, status, example);
    return classes;
  }
}
