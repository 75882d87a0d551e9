package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.snowmint.testing.DatabaseServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database by its URL. */
abstract class DatabaseSuite {
  private static int databases;
  private String name;
  private String url;

  /** The server, which each of its kind starts for all of its tests. */
  abstract DatabaseServer server();

  @BeforeEach
  void create() throws Exception {
    name = "test_" + databases++;
    server().execute("", "CREATE DATABASE " + name);
    url = server().sourceUrl(name);
  }

  /** Prints a thousand IDs of each source. */
  public static void main(String[] urls) {
    for (String url : urls) {
      try (IdSource source = IdSource.open(url)) {
        LongStream.of(source.nextIds(1_000)).forEach(System.out::println);
      }
    }
  }

  private static Process run(String... urls) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String path = System.getProperty("java.class.path");
    List<String> command = new ArrayList<>(List.of(java, "-cp", path));
    command.add(DatabaseSuite.class.getName());
    command.addAll(List.of(urls));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  @Test
  void numbersFollowEachOther() {
    Store store = Store.open(url + "&create=true");
    store.createTag("orders", TagOptions.USUAL.withStep(10));
    try (IdSource orders = IdSource.open("segment+" + url + "&tag=orders&step=10")) {
      assertArrayEquals(LongStream.rangeClosed(1, 12).toArray(), orders.nextIds(12));
    }
    assertEquals(List.of("orders"), store.tags().stream().map(TagRow::tag).toList());
  }

  @Test
  void processesAreDisjoint() throws Exception {
    Store store = Store.open(url + "&create=true");
    store.createTag("orders", TagOptions.USUAL.withStep(10));
    String[] urls = {
      "snowflake+" + url + "&layout=twitter", "segment+" + url + "&tag=orders&step=10"
    };
    List<Process> processes = List.of(run(urls), run(urls));
    List<Long> ids = new ArrayList<>();
    try (IdSource ours = IdSource.open(urls[0])) {
      LongStream.of(ours.nextIds(1_000)).forEach(ids::add);
      for (Process process : processes) {
        byte[] out = process.getInputStream().readAllBytes();
        new String(out, StandardCharsets.UTF_8).lines().map(Long::valueOf).forEach(ids::add);
        assertEquals(0, process.waitFor());
      }
    }
    assertEquals(5_000, ids.size());
    assertEquals(5_000, new HashSet<>(ids).size());
  }

  private static void assertRefused(Code code, String url) {
    SnowmintException refused =
        assertThrows(SnowmintException.class, () -> IdSource.open("snowflake+" + url).close());
    assertEquals(code, refused.code(), refused::toString);
    assertFalse(refused.toString().contains("S3CRET"), refused::toString);
  }

  @Test
  void whatIsWrongHasItsCodeAndShowsNoPassword() {
    String ann = url.replaceFirst("//\\w+@", "//ann:S3CRET@");
    assertRefused(Code.STORE_MISSING, url);
    assertRefused(Code.STORE_DENIED, ann);
    assertRefused(Code.STORE_UNAVAILABLE, ann.replaceFirst(":\\d+/", ":1/"));
    assertRefused(Code.UNKNOWN_PARAMETER, ann + "&sslmood=prefer");
  }
}
