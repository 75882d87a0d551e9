package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.snowmint.jdbc.JdbcStore;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several class loaders, each with the classes of its own, as applications of one server have. */
@Timeout(600)
class ClassLoadersTest {
  private static final int IDS = 50_000;

  @TempDir Path directory;

  private static URLClassLoader loader() {
    URL jar = IdSource.class.getProtectionDomain().getCodeSource().getLocation();
    return new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
  }

  private static long[] mint(ClassLoader loader, String url) throws Exception {
    Class<?> type = loader.loadClass(IdSource.class.getName());
    Object opened = type.getMethod("open", String.class).invoke(null, url);
    try (AutoCloseable source = (AutoCloseable) opened) {
      long[] ids = new long[IDS];
      for (int at = 0; at < 100; at++) {
        ids[at] = (long) type.getMethod("nextId").invoke(source);
      }
      long[] more = (long[]) type.getMethod("nextIds", int.class).invoke(source, IDS - 100);
      System.arraycopy(more, 0, ids, 100, more.length);
      return ids;
    }
  }

  @Test
  void worksInSeveralAtOnce() throws Exception {
    Path file = directory.resolve("ids.db");
    Store.createSqlite(file).createTag("orders");
    for (String url :
        List.of("snowflake+sqlite:" + file, "segment+sqlite:" + file + "?tag=orders")) {
      ExecutorService threads = Executors.newFixedThreadPool(3);
      List<Future<long[]>> shares = new ArrayList<>();
      try (URLClassLoader one = loader();
          URLClassLoader two = loader()) {
        assertNotSame(one.loadClass(Code.class.getName()), two.loadClass(Code.class.getName()));
        for (ClassLoader loader : List.of(one, two, IdSource.class.getClassLoader())) {
          shares.add(threads.submit(() -> mint(loader, url)));
        }
        LongStream ids = LongStream.empty();
        for (Future<long[]> share : shares) {
          ids = LongStream.concat(ids, LongStream.of(share.get()));
        }
        assertEquals(3 * IDS, ids.distinct().count());
      }
      threads.shutdown();
    }
  }

  @Test
  void eachThrowsItsOwnErrors() throws Exception {
    try (URLClassLoader one = loader();
        URLClassLoader two = loader()) {
      for (ClassLoader loader : List.of(one, two, IdSource.class.getClassLoader(), one)) {
        Throwable thrown =
            assertThrows(InvocationTargetException.class, () -> mint(loader, "nothing:"))
                .getCause();
        assertSame(loader.loadClass(SnowmintException.class.getName()), thrown.getClass());
      }
    }
  }

  private WeakReference<ClassLoader> used() throws Exception {
    try (URLClassLoader loader = loader()) {
      mint(loader, "snowflake:?worker_id=9&state=" + directory);
      callJdbcStore(loader);
      return new WeakReference<>(loader);
    }
  }

  /** Calls a store on a {@code DataSource} that keeps the store from being collected. */
  private static void callJdbcStore(ClassLoader loader) throws Exception {
    List<Object> kept = new ArrayList<>();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          throw new SQLException("no connection for " + kept.size() + " store");
        };
    Object source =
        Proxy.newProxyInstance(loader, new Class<?>[] {DataSource.class}, handler);
    Class<?> type = loader.loadClass(JdbcStore.class.getName());
    Object store = type.getConstructor(DataSource.class).newInstance(source);
    kept.add(store);
    Throwable thrown =
        assertThrows(
                InvocationTargetException.class, () -> type.getMethod("tags").invoke(store))
            .getCause();
    assertSame(SQLException.class, thrown.getCause().getClass());
  }

  @Test
  void oneThatIsGoneIsCollected() throws Exception {
    WeakReference<ClassLoader> loader = used();
    while (loader.get() != null) {
      System.gc();
      Thread.sleep(20);
    }
    used();
  }
}
