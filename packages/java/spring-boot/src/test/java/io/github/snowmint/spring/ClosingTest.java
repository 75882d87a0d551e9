package io.github.snowmint.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Lease;
import io.github.snowmint.LeaseRequest;
import io.github.snowmint.Snowflake;
import io.github.snowmint.Store;
import io.github.snowmint.WorkerStore;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Sources end with the application. */
class ClosingTest {
  /** Gives no worker ID back before the application has ended, or 4 s are over. */
  private static final class Slow implements WorkerStore {
    final CountDownLatch ended = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    final AtomicBoolean wasLater = new AtomicBoolean();
    private final Store leases = Store.memory();

    @Override
    public Lease acquire(LeaseRequest request) {
      return leases.acquire(request);
    }

    @Override
    public Lease renew(Lease lease, byte[] next, int reserveMs) {
      return leases.renew(lease, next, reserveMs);
    }

    @Override
    public void release(Lease lease) {
      try {
        wasLater.set(ended.await(4, TimeUnit.SECONDS));
      } catch (InterruptedException signal) {
        throw new IllegalStateException(signal);
      }
      leases.release(lease);
      released.countDown();
    }
  }

  private static AnnotationConfigApplicationContext start(
      WorkerStore store, Map<String, Object> properties) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("given", properties));
    context.registerBean(
        "snowflake", Snowflake.class, () -> Snowflake.builder().leaseFrom(store).open());
    context.register(SnowmintAutoConfiguration.class);
    return context;
  }

  @Test
  void theEndWaitsAsLongAsThePropertySays() throws Exception {
    boolean wasLater = false;
    // A busy machine may take longer to end than the store does, now and then.
    for (int attempt = 0; attempt < 5 && !wasLater; attempt++) {
      Slow store = new Slow();
      var context = start(store, Map.of("snowmint.url", "uuid:", "snowmint.close-within", "1ms"));
      context.refresh();
      context.close();
      store.ended.countDown();
      store.released.await();
      wasLater = store.wasLater.get();
    }
    assertTrue(wasLater, "the end waited for the store");
  }

  @Test
  @Timeout(600)
  void aPropertyThatIsWrongLeavesNothingOpen() throws Exception {
    Store store = Store.memory();
    var context = start(store, Map.of("snowmint.url", "uuid:", "snowmint.close-within", "soon"));
    assertThrows(BeanCreationException.class, context::refresh);
    while (store.workers().get(0).held()) {
      Thread.sleep(1);
    }
  }

  @Test
  void whatHasASourceMintsToItsEnd() {
    AtomicBoolean isClosed = new AtomicBoolean(true);
    var context = start(Store.memory(), Map.of("snowmint.url", "uuid:"));
    context.registerBean(
        "clerk",
        DisposableBean.class,
        () -> {
          Snowflake flake = context.getBean(Snowflake.class);
          return () -> isClosed.set(flake.stats().isClosed());
        });
    context.refresh();
    context.close();
    assertFalse(isClosed.get());
  }
}
