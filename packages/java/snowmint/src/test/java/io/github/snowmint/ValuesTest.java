package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.snowmint.testing.DatabaseServer;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis, etcd and ZooKeeper by their URLs. */
class ValuesTest {
  private static DatabaseServer start(String server) throws Exception {
    return switch (server) {
      case "redis" -> DatabaseServer.redis();
      case "etcd" -> DatabaseServer.etcd();
      default -> DatabaseServer.zookeeper();
    };
  }

  private static void assertRefused(Code code, String url) {
    SnowmintException refused =
        assertThrows(SnowmintException.class, () -> IdSource.open("snowflake+" + url).close());
    assertEquals(code, refused.code(), refused::toString);
    assertFalse(refused.toString().contains("S3CRET"), refused::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "etcd", "zookeeper"})
  void sourcesOfAServer(String kind) throws Exception {
    try (DatabaseServer server = start(kind)) {
      String url = server.sourceUrl("0");
      assertRefused(Code.STORE_MISSING, url);
      Store store = Store.open(url + "?create=true");
      store.createTag("orders", TagOptions.USUAL.withStep(10));
      try (IdSource orders = IdSource.open("segment+" + url + "?tag=orders&step=10")) {
        assertArrayEquals(LongStream.rangeClosed(1, 12).toArray(), orders.nextIds(12));
      }
      try (IdSource one = IdSource.open("snowflake+" + url + "?layout=twitter");
          IdSource two = IdSource.open("snowflake+" + url + "?layout=twitter")) {
        List<IdSource> both = List.of(one, two);
        Stream<long[]> ids = both.stream().map(source -> source.nextIds(1_000));
        assertEquals(2_000, ids.flatMapToLong(LongStream::of).distinct().count());
        assertEquals(2, store.workers().size());
      }
      String ann = url.replaceFirst("//", "//ann:S3CRET@");
      assertRefused(Code.STORE_UNAVAILABLE, ann.replaceFirst(":\\d+/", ":1/"));
      assertRefused(Code.UNKNOWN_PARAMETER, ann + "?passwort=x");
    }
  }
}
