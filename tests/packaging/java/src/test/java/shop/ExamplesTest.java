package shop;

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
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/**
 * The programs in {@code examples/java} and the README's lines, compiled and run twice as a user would,
 * each in a directory of its own.
 */
class ExamplesTest {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SHOWN =
      Pattern.compile("println\\(.*\\); // (.+)$", Pattern.MULTILINE);

  @TempDir Path directory;

  private static String read(String property) throws IOException {
    return Files.readString(Path.of(System.getProperty(property)));
  }

  /** The programs, by the names of their classes. */
  private static Map<String, String> programs() throws IOException {
    Map<String, String> programs = new TreeMap<>();
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("examples")))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        programs.put(name, Files.readString(file).replace("/tmp/ids.db", "ids.db"));
      }
    }
    // A new file, in the working directory, takes the place of the one that the README names.
    String readme = read("readme").replace("/var/lib/shop/ids.db", "ids.db?create=true");
    String lines = BLOCK.matcher(readme).results().findFirst().orElseThrow().group(1);
    programs.put("Readme", program(lines));
    return programs;
  }

  private static String program(String lines) {
    return "package shop;\n"
        + lines(lines, true)
        + "class Readme {\npublic static void main(String[] arguments) throws Exception {\n"
        + lines(lines, false)
        + "}\n}\n";
  }

  private static String jars() {
    return Stream.of(Snowmint.class, SQLiteDataSource.class)
        .map(type -> new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()))
        .map(File::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The documentation and the README name this project's dependency. */
  @Test
  void theDependencyIsThisOne() throws IOException {
    String dependency = Files.readString(Path.of(System.getProperty("examples"), "dependency.xml"));
    String pom = read("pom").replaceAll("(?m)^ +", "");
    assertTrue(pom.contains(dependency.replaceAll("(?m)^ +", "")), pom);
    assertTrue(read("readme").contains("```xml\n" + dependency + "```"));
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
    Map<String, String> programs = programs();
    assertTrue(programs.size() >= 5);
    return programs.entrySet().stream()
        .map(it -> DynamicTest.dynamicTest(it.getKey(), () -> run(it.getKey(), it.getValue(), module)));
  }

  private void run(String name, String program, boolean module) throws Exception {
    Path home = Files.createTempDirectory(directory, "example");
    Path classes = compile(name, program, home, module);
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
            ? List.of("--module-path", path, "--module", "example/shop." + name)
            : List.of("-cp", path, "shop." + name));
    String out = start(command, home);
    start(command, home);
    List<String> shown = SHOWN.matcher(program).results().map(line -> line.group(1)).toList();
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

  private static Path compile(String name, String program, Path home, boolean module)
      throws IOException {
    Path sources = Files.createDirectories(home.resolve("src").resolve("shop"));
    Path file = Files.writeString(sources.resolve(name + ".java"), program);
    Path classes = home.resolve("classes");
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-Xlint:all", "-Werror", "--release", "17", "-d", classes.toString()));
    if (module) {
      Path info = sources.resolveSibling("module-info.java");
      boolean database = program.contains("DataSource");
      String sql = database ? "requires java.sql; requires org.xerial.sqlitejdbc; " : "";
      Files.writeString(info, "module example { requires io.github.snowmint; " + sql + "}\n");
      // Nothing but modules: an empty directory is the class path.
      Path none = Files.createDirectory(home.resolve("none"));
      arguments.addAll(List.of("-cp", none.toString(), "--module-path", jars(), info.toString()));
    } else {
      arguments.addAll(List.of("-cp", jars()));
    }
    arguments.add(file.toString());
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, System.out, System.out, arguments.toArray(String[]::new));
    assertEquals(0, status, name);
    return classes;
  }
}
