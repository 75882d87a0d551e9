package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.internal.Native;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The search for the library, each time in a new process. */
@EnabledOnOs(OS.LINUX)
class NativeLibraryTest {
  private static final String FILE = System.mapLibraryName("snowmint_java");

  @TempDir Path directory;
  private Path cache;
  private byte[] library;

  @BeforeEach
  void read() throws IOException {
    cache = directory.resolve("cache");
    String machine = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
    try (InputStream packed = Native.class.getResourceAsStream("linux-" + machine + "/" + FILE)) {
      library = packed.readAllBytes();
    }
  }

  @Test
  void theLicencesAreInTheJar() {
    for (String name : List.of("MIT", "APACHE", "THIRD-PARTY")) {
      assertNotNull(Native.class.getResource("/META-INF/LICENSE-" + name), name);
    }
  }

  /** The exit status of a process, and the text that it printed. */
  private record Outcome(int status, List<String> out, String errors) {
    Path loaded() {
      assertEquals(0, status, errors);
      assertEquals(Snowmint.version(), out.get(0));
      assertEquals(2, out.size(), out::toString);
      return Path.of(out.get(1));
    }

    void assertFailed(String... parts) {
      assertNotEquals(0, status);
      assertTrue(errors.contains("no native library of snowmint could be loaded:"), errors);
      for (String part : parts) {
        assertTrue(errors.contains(part), () -> "no " + part + " in " + errors);
      }
    }
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private Outcome run(String... options) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(List.of(options));
    String path = place(Snowmint.class) + File.pathSeparator + place(LibraryProbe.class);
    command.addAll(List.of("-cp", path, LibraryProbe.class.getName()));
    Path errors = directory.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().remove("XDG_CACHE_HOME");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out.lines().toList(), Files.readString(errors));
  }

  private Outcome extract() throws Exception {
    return run("-Dsnowmint.library.directory=" + cache);
  }

  private Path extracted() {
    CRC32 sum = new CRC32();
    sum.update(library);
    return cache.resolve("%08x-%s".formatted(sum.getValue(), FILE));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private void makeCache(String permissions) throws IOException {
    Files.createDirectory(cache);
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void isExtractedOnceForItsOwnerAlone() throws Exception {
    assertEquals(extracted(), extract().loaded());
    assertEquals("rwx------", permissions(cache));
    assertArrayEquals(library, Files.readAllBytes(extracted()));
    FileTime written = Files.getLastModifiedTime(extracted());
    assertEquals(extracted(), extract().loaded());
    assertEquals(written, Files.getLastModifiedTime(extracted()));
    try (Stream<Path> files = Files.list(cache)) {
      assertEquals(List.of(extracted()), files.toList());
    }
  }

  @Test
  void goesIntoTheUsersCache() throws Exception {
    Path loaded = run("-Duser.home=" + directory).loaded();
    assertEquals(directory.resolve(".cache").resolve("snowmint"), loaded.getParent());
  }

  @Test
  void withoutACacheItIsATemporaryFile() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    Path loaded = run("-Duser.home=" + file, "-Djava.io.tmpdir=" + directory).loaded();
    Path parent = directory.resolve("snowmint-" + System.getProperty("user.name"));
    assertEquals(parent, loaded.getParent());
    assertEquals("rwx------", permissions(parent));
  }

  @Test
  void aPlantedFileIsReplaced() throws Exception {
    makeCache("rwx------");
    Files.writeString(extracted(), "not this one");
    assertEquals(extracted(), extract().loaded());
    assertArrayEquals(library, Files.readAllBytes(extracted()));
  }

  @Test
  void aPlantedLinkIsReplaced() throws Exception {
    makeCache("rwx------");
    Path elsewhere = Files.write(directory.resolve("elsewhere.so"), library);
    Files.createSymbolicLink(extracted(), elsewhere);
    assertEquals(extracted(), extract().loaded());
    assertFalse(Files.isSymbolicLink(extracted()));
  }

  @Test
  void aDirectoryOpenToOthersIsRefused() throws Exception {
    makeCache("rwxrwxrwx");
    extract().assertFailed(cache + " is open to others");
    assertFalse(Files.exists(extracted()));
  }

  @Test
  void aLinkedDirectoryIsRefused() throws Exception {
    Path real = Files.createDirectory(directory.resolve("real"));
    Files.createSymbolicLink(cache, real);
    extract().assertFailed(cache + " is no directory");
  }

  @Test
  void everyAttemptIsReported() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    run(
            "-Duser.home=" + file,
            "-Djava.io.tmpdir=" + file,
            "-Djava.library.path=" + directory)
        .assertFailed(
            FILE + " of the jar, into " + file.resolve(".cache"),
            FILE + " of the jar, into " + file.resolve("snowmint-"),
            "java.library.path=" + directory);
  }

  @Test
  void whereMuslIsMappedTheLibraryForMuslIsTried() throws Exception {
    assertTries("linux-musl-riscv64", "ld-musl-riscv64.so.1");
    assertTries("linux-musl-riscv64", "libc.so");
    assertTries("linux-riscv64", "libc.so.6");
  }

  /** No jar has a library for this processor. */
  private void assertTries(String platform, String libc) throws Exception {
    Path mapped = Files.writeString(directory.resolve(libc), "a C library");
    run("-Dos.arch=riscv64", "-Dprobe.mapped=" + mapped)
        .assertFailed("the jar has no " + platform + "/" + FILE);
  }

  @Test
  void theLibraryPathIsTheLastResort() throws Exception {
    Path installed = Files.createDirectory(directory.resolve("lib"));
    Files.write(installed.resolve(FILE), library);
    Path file = Files.createFile(directory.resolve("file"));
    Path loaded =
        run("-Dsnowmint.library.directory=" + file, "-Djava.library.path=" + installed).loaded();
    assertEquals(installed.resolve(FILE), loaded);
  }

  @Test
  void aNamedFileIsTheOnlyAttempt() throws Exception {
    Path named = Files.write(directory.resolve("own_snowmint_java.so"), library);
    assertEquals(named, run("-Dsnowmint.library=" + named).loaded());
    Path wrong = Files.writeString(directory.resolve("wrong.so"), "nothing");
    Outcome outcome = run("-Dsnowmint.library=" + wrong);
    outcome.assertFailed("-Dsnowmint.library=" + wrong);
    assertFalse(outcome.errors().contains("java.library.path"), outcome.errors());
  }

  @Test
  void anotherLibraryIsToldFromOurs() throws Exception {
    String name = System.mapLibraryName("prefs");
    Path another = Path.of(System.getProperty("java.home"), "lib", name);
    run("-Dsnowmint.library=" + another)
        .assertFailed("-Dsnowmint.library=" + another, "it has to be " + FILE);
  }
}
