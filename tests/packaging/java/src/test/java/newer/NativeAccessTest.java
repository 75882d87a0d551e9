package newer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Snowmint;
import java.io.File;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;

/** The leave that Java 24 and later want given before they load native code. */
class NativeAccessTest {
  @TempDir Path directory;

  /** The exit status of a process, and the text that it printed. */
  private record Outcome(int status, String out, String errors) {
    void assertMinted() {
      assertEquals("version 7", out.strip(), errors);
      assertEquals(0, status, errors);
    }

    void assertSilent() {
      assertMinted();
      assertEquals("", errors);
    }
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private Outcome run(List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dsnowmint.library.directory=" + directory.resolve("library"));
    command.addAll(arguments);
    Path errors = directory.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out, Files.readString(errors));
  }

  private Outcome onTheClassPath(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    String path = place(Snowmint.class) + File.pathSeparator + place(Mint.class);
    arguments.addAll(List.of("-cp", path, Mint.class.getName()));
    return run(arguments);
  }

  private Outcome asAModule(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--module-path", place(Snowmint.class).toString()));
    arguments.addAll(List.of("--add-modules", "io.github.snowmint"));
    arguments.addAll(List.of("-cp", place(Mint.class).toString(), Mint.class.getName()));
    return run(arguments);
  }

  /** An application's jar that gives leave in its manifest. */
  private Path application() throws Exception {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, Mint.class.getName());
    String path = place(Snowmint.class).toUri() + " " + place(Mint.class).toUri();
    attributes.put(Attributes.Name.CLASS_PATH, path);
    attributes.putValue("Enable-Native-Access", "ALL-UNNAMED");
    Path jar = directory.resolve("application.jar");
    try (OutputStream file = Files.newOutputStream(jar)) {
      new JarOutputStream(file, manifest).close();
    }
    return jar;
  }

  @Test
  void withLeaveNothingIsPrinted() throws Exception {
    onTheClassPath("--enable-native-access=ALL-UNNAMED").assertSilent();
    asAModule("--enable-native-access=io.github.snowmint").assertSilent();
    run(List.of("-jar", application().toString())).assertSilent();
  }

  @Test
  void withoutLeaveItMints() throws Exception {
    onTheClassPath().assertMinted();
    asAModule().assertMinted();
  }

  @Test
  @EnabledForJreRange(minVersion = 24)
  void whereLeaveIsDeniedTheErrorSaysSo() throws Exception {
    String deny = "--illegal-native-access=deny";
    Outcome denied = onTheClassPath(deny);
    assertNotEquals(0, denied.status());
    assertTrue(
        denied.errors().contains("no native library of snowmint could be loaded:"),
        denied::errors);
    assertTrue(denied.errors().contains("IllegalCallerException"), denied::errors);
    onTheClassPath(deny, "--enable-native-access=ALL-UNNAMED").assertSilent();
    asAModule(deny, "--enable-native-access=io.github.snowmint").assertSilent();
  }
}
