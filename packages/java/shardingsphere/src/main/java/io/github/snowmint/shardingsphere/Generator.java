package io.github.snowmint.shardingsphere;

import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.internal.sharing.SharedSource;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;

/**
 * The base of the key generators. It holds a source from {@link #init} to {@link #close}.
 * ShardingSphere closes no key generator, so an unreachable generator releases its source by
 * itself.
 */
abstract class Generator implements KeyGenerateAlgorithm, AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final AtomicReference<SharedSource> held = new AtomicReference<>();

  Generator() {
    AtomicReference<SharedSource> hold = held;
    CLEANER.register(this, () -> replace(hold, null));
  }

  /** Reads every property, and returns the opener of the source with its key. */
  abstract Opener read(Properties properties);

  @Override
  public final void init(Properties properties) {
    Opener opener = read(properties);
    replace(held, SharedSource.of(opener.settings().key(), opener::open));
  }

  private static void replace(AtomicReference<SharedSource> held, SharedSource next) {
    SharedSource former = held.getAndSet(next);
    if (former != null) {
      former.leave();
    }
  }

  /** Calls a function with the source, which stays open during the call. */
  final <T> T mint(Function<IdSource, T> minting) {
    SharedSource shared = held.get();
    if (shared == null) {
      throw new SnowmintException(Code.CLOSED, getType() + " is closed, or was never initialized");
    }
    try {
      return minting.apply(shared.source());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  final List<Long> numbers(int count) {
    return mint(
        source ->
            count == 1
                ? List.of(source.nextId())
                : Arrays.stream(source.nextIds(count)).boxed().toList());
  }

  /** Releases the source, which closes when no generator with the same properties holds it. */
  @Override
  public final void close() {
    replace(held, null);
  }

  @Override
  public abstract String getType();
}
