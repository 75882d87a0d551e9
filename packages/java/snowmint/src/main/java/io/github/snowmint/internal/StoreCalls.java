package io.github.snowmint.internal;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.Allocation;
import io.github.snowmint.Lease;
import io.github.snowmint.LeaseRequest;
import io.github.snowmint.SegmentStore;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.Store;
import io.github.snowmint.TagChange;
import io.github.snowmint.TagOptions;
import io.github.snowmint.TagRow;
import io.github.snowmint.WorkerRow;
import io.github.snowmint.WorkerStore;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** The calls of a store on the native side. */
public final class StoreCalls implements WorkerStore, SegmentStore {
  private final long handle;
  private final Object kept;

  /**
   * Takes a handle, which is freed when neither this nor a source on it is reachable, and an object
   * that the native side calls, or null.
   */
  public StoreCalls(long handle, Object kept) {
    this.handle = handle;
    this.kept = kept;
    Reaper.watch(this, handle, Native::freeStore);
  }

  /** Returns the handle. */
  public long handle() {
    return handle;
  }

  private <T> T with(LongFunction<T> call) {
    try {
      return Waiting.blocking(() -> call.apply(handle));
    } catch (SnowmintException failure) {
      if (failure.getCause() instanceof Error error) {
        throw error; // Of a driver.
      }
      throw failure;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public Allocation allocate(String tag, OptionalLong count) {
    given(tag, "tag");
    long wanted = Arguments.orAbsent(count, "count", Arguments::step);
    long[] taken = with(store -> Native.storeAllocate(store, tag, wanted));
    return new Allocation(taken[0], taken[1], taken[2], taken[3]);
  }

  @Override
  public void createTag(String tag, TagOptions options) {
    given(tag, "tag");
    given(options, "options");
    with(
        store -> {
          Native.storeCreateTag(store, tag, Rows.numbers(options));
          return null;
        });
  }

  @Override
  public TagRow changeTag(String tag, TagChange change) {
    given(tag, "tag");
    long[] wanted = Rows.numbers(given(change, "change"));
    long[] row = with(store -> Native.storeChangeTag(store, tag, wanted));
    return Rows.tag(tag, row, 0);
  }

  /** Confirms a server, as {@link Store#vouch} does. */
  public List<TagRow> vouch(String server, long raiseBySteps, OptionalLong newFrom) {
    Arguments.text(server, "server");
    long[] asked = Rows.vouch(raiseBySteps, newFrom);
    return Rows.tags(with(store -> Native.storeVouch(store, server, asked[0], asked[1])));
  }

  @Override
  public Optional<TagRow> tag(String tag) {
    given(tag, "tag");
    long[] row = with(store -> Native.storeTag(store, tag));
    return row.length == 0 ? Optional.empty() : Optional.of(Rows.tag(tag, row, 0));
  }

  @Override
  public List<TagRow> tags() {
    return Rows.tags(with(Native::storeTags));
  }

  @Override
  public Lease acquire(LeaseRequest request) {
    given(request, "request");
    String realm = Arguments.text(request.realm(), "realm");
    String owner = Arguments.text(request.owner(), "owner");
    byte[] token = given(request.token(), "token");
    long[] asked = Rows.numbers(request);
    long[] fields = with(store -> Native.storeAcquire(store, realm, owner, token, asked));
    return Rows.lease(realm, owner, token, fields);
  }

  @Override
  public Lease renew(Lease lease, byte[] next, int reserveMs) {
    given(lease, "lease");
    given(next, "next");
    String realm = Arguments.text(lease.realm(), "realm");
    String owner = Arguments.text(lease.owner(), "owner");
    byte[] token = given(lease.token(), "token");
    long[] held = Rows.numbers(lease);
    long[] fields =
        with(store -> Native.storeRenew(store, realm, owner, token, held, next, reserveMs));
    return Rows.lease(realm, owner, next, fields);
  }

  @Override
  public void release(Lease lease) {
    given(lease, "lease");
    String realm = Arguments.text(lease.realm(), "realm");
    String owner = Arguments.text(lease.owner(), "owner");
    byte[] token = given(lease.token(), "token");
    with(
        store -> {
          Native.storeRelease(store, realm, owner, token, Rows.numbers(lease));
          return null;
        });
  }

  @Override
  public List<WorkerRow> workers() {
    return Rows.workers(with(Native::storeWorkers));
  }

  @Override
  public boolean evict(String realm, long workerId) {
    Arguments.text(realm, "realm");
    return with(store -> Native.storeEvict(store, realm, workerId));
  }
}
