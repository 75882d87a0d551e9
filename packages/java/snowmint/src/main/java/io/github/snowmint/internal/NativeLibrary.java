package io.github.snowmint.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * Finds the native library and loads it: the file that {@code snowmint.library} names. Without that
 * property it tries these in turn:
 *
 * <ul>
 *   <li>the library in the jar, extracted into a directory that only its owner can open, in the
 *       user's cache or among temporary files
 *   <li>{@code java.library.path}
 * </ul>
 *
 * <p>If nothing works, the error lists every attempt.
 *
 * <p>The extracted file is named by the sum of its content, which is compared before use. A file of
 * that name with other content is replaced. Java loads a file only once, so a second class
 * loader uses the same file under another name.
 */
final class NativeLibrary {
  private static final String NAME = "snowmint_java";
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.complementOf(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private NativeLibrary() {}

  static void load() {
    List<String> attempts = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    String named = System.getProperty("snowmint.library");
    if (named != null) {
      String what = "-Dsnowmint.library=" + named;
      if (attempt(attempts, failures, what, () -> load(named))) {
        return;
      }
    } else {
      String resource = resource();
      for (Path directory : directories()) {
        String what = resource + " of the jar, into " + directory;
        if (attempt(attempts, failures, what, () -> extract(resource, directory))) {
          return;
        }
      }
      String what = "java.library.path=" + System.getProperty("java.library.path");
      if (attempt(attempts, failures, what, () -> System.loadLibrary(NAME))) {
        return;
      }
    }
    StringBuilder message = new StringBuilder("no native library of snowmint could be loaded:");
    attempts.forEach(attempt -> message.append("\n  - ").append(attempt));
    UnsatisfiedLinkError error = new UnsatisfiedLinkError(message.toString());
    failures.forEach(error::addSuppressed);
    throw error;
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private static boolean attempt(
      List<String> attempts, List<Throwable> failures, String what, Attempt attempt) {
    try {
      attempt.run();
      return true;
    } catch (IOException | LinkageError | RuntimeException failure) {
      attempts.add(what + ": " + failure);
      failures.add(failure);
      return false;
    }
  }

  /** Loads a file that may be any library. Fails if it is not this one. */
  private static void load(String file) {
    System.load(file);
    try {
      Native.version();
    } catch (UnsatisfiedLinkError foreign) {
      UnsatisfiedLinkError error =
          new UnsatisfiedLinkError(
              "a library without snowmint's functions for Java: it has to be "
                  + System.mapLibraryName(NAME)
                  + ", as in the jar, not the C package's");
      error.initCause(foreign);
      throw error;
    }
  }

  /** Returns the place in the jar of the library for this system. */
  private static String resource() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String os =
        system.contains("win") && !system.contains("darwin")
            ? "windows"
            : system.contains("mac") || system.contains("darwin")
                ? "macos"
                : isMusl() ? "linux-musl" : "linux";
    String arch =
        switch (machine) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "aarch64";
          default -> machine;
        };
    return os + "-" + arch + "/" + System.mapLibraryName(NAME);
  }

  /**
   * Tells if the C library of this process is musl, as on Alpine. The system lists the files that a
   * process maps. Musl's is its loader, {@code ld-musl-x86_64.so.1}, which may be a link to {@code
   * libc.so}.
   */
  private static boolean isMusl() {
    try (Stream<String> mapped =
        Files.lines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
      return mapped.anyMatch(line -> line.matches(".*/(ld-musl-[^/]*|libc\\.so)"));
    } catch (IOException | UncheckedIOException unreadable) {
      return false;
    }
  }

  /** Returns the directories to extract into, in the order of attempts. */
  private static List<Path> directories() {
    String chosen = System.getProperty("snowmint.library.directory");
    if (chosen != null) {
      return List.of(Path.of(chosen));
    }
    List<Path> directories = new ArrayList<>();
    String cache = System.getenv("XDG_CACHE_HOME");
    String home = System.getProperty("user.home");
    if (cache != null && !cache.isEmpty()) {
      directories.add(Path.of(cache, "snowmint"));
    } else if (home != null && !home.equals("?")) {
      directories.add(Path.of(home, ".cache", "snowmint"));
    }
    String user = System.getProperty("user.name");
    directories.add(Path.of(System.getProperty("java.io.tmpdir"), "snowmint-" + user));
    return directories;
  }

  private static void extract(String resource, Path directory) throws IOException {
    URL packed = NativeLibrary.class.getResource(resource);
    if (packed == null) {
      throw new IOException("the jar has no " + resource);
    }
    secure(directory);
    long sum = sum(packed);
    Path target = directory.resolve("%08x-%s".formatted(sum, System.mapLibraryName(NAME)));
    boolean isIntact =
        Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
            && sum(Files.newInputStream(target)) == sum;
    if (!isIntact) {
      write(directory, packed, target);
    }
    try {
      System.load(target.toAbsolutePath().toString());
    } catch (UnsatisfiedLinkError failure) {
      if (!String.valueOf(failure.getMessage()).contains("another classloader")) {
        throw failure;
      }
      loadAgain(directory, target);
    }
  }

  /**
   * Loads a file that another class loader has loaded, under another name. For Java it is another
   * file. For the system it is the same file, which it maps once. Two copies of SQLite in one
   * process would not see each other's locks.
   */
  private static void loadAgain(Path directory, Path target) throws IOException {
    Path link = directory.resolve("link-" + UUID.randomUUID() + "-" + target.getFileName());
    Files.createLink(link, target);
    try {
      System.load(link.toAbsolutePath().toString());
    } finally {
      // A loaded library needs no name, if the system allows that.
      link.toFile().deleteOnExit();
      link.toFile().delete();
    }
  }

  /**
   * Creates a directory that no other user can open. Fails if an existing directory is open to
   * others.
   */
  private static void secure(Path directory) throws IOException {
    boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (!posix) {
      Files.createDirectories(directory);
      return;
    }
    Set<PosixFilePermission> owners = PosixFilePermissions.fromString("rwx------");
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(owners));
    } catch (java.nio.file.FileAlreadyExistsException there) {
      // It is checked below, like a new directory.
    }
    PosixFileAttributes found =
        Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isDirectory()) {
      throw new IOException(directory + " is no directory");
    }
    Path probe = Files.createTempFile(directory, "owner-", "");
    Object self = Files.getOwner(probe);
    Files.delete(probe);
    if (!found.owner().equals(self)) {
      throw new IOException(directory + " belongs to " + found.owner().getName());
    }
    for (PosixFilePermission permission : found.permissions()) {
      if (OTHERS.contains(permission)) {
        throw new IOException(directory + " is open to others: allow its owner alone");
      }
    }
  }

  /** Returns the sum of a library. A jar lists those of its files, so that nothing is unpacked. */
  private static long sum(URL packed) throws IOException {
    URLConnection connection = packed.openConnection();
    return connection instanceof JarURLConnection jar
        ? jar.getJarEntry().getCrc()
        : sum(connection.getInputStream());
  }

  private static long sum(InputStream content) throws IOException {
    try (CheckedInputStream summed = new CheckedInputStream(content, new CRC32())) {
      summed.transferTo(OutputStream.nullOutputStream());
      return summed.getChecksum().getValue();
    }
  }

  /**
   * Writes a file beside the target and renames it, so that another process sees all of it or none.
   */
  private static void write(Path directory, URL packed, Path target) throws IOException {
    Path part = Files.createTempFile(directory, "part-", "");
    try (InputStream content = packed.openStream()) {
      Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
      Files.move(
          part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
