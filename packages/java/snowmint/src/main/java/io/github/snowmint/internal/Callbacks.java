package io.github.snowmint.internal;

import io.github.snowmint.Allocation;
import io.github.snowmint.Code;
import io.github.snowmint.Lease;
import io.github.snowmint.LeaseRequest;
import io.github.snowmint.SegmentStore;
import io.github.snowmint.Snowmint;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TagOptions;
import io.github.snowmint.TagRow;
import io.github.snowmint.WorkerStore;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** The methods that the native side calls: for stores written in Java, exceptions and the log. */
@SuppressWarnings("try") // A loader is only closed, and not used otherwise.
final class Callbacks {
  private Callbacks() {}

  static RuntimeException exception(int code, String message, long waitMs, Throwable cause) {
    return new SnowmintException(Code.of(code), message, waitMs, beneath(message, cause));
  }

  /** Returns the cause of an error that says the same, in place of that error. */
  private static Throwable beneath(String message, Throwable cause) {
    boolean isSame = cause instanceof SnowmintException && message.equals(cause.getMessage());
    return isSame ? cause.getCause() : cause;
  }

  /** Runs a transaction, in which the native side does its work. */
  static void transact(Object transactions, long work) {
    try (Loader ignored = new Loader(transactions)) {
      ((LongConsumer) transactions).accept(work);
    }
  }

  /** Returns the code of an exception that a store threw, or 0 if it has none. */
  static int codeOf(Throwable thrown) {
    return thrown instanceof SnowmintException failure ? failure.code().number() : 0;
  }

  /** Logs an event. The native side calls this on a thread of its own. */
  static void log(boolean isWarning, String line) {
    try (Loader ignored = new Loader(Callbacks.class.getClassLoader())) {
      System.getLogger("snowmint").log(isWarning ? Level.WARNING : Level.INFO, line);
    }
  }

  static String describe(Throwable thrown) {
    if (thrown instanceof SnowmintException) {
      return String.valueOf(thrown.getMessage());
    }
    return thrown.toString();
  }

  static long[] allocate(Object store, String tag, long count) {
    try (Loader ignored = new Loader(store)) {
      OptionalLong wanted = count == -1 ? OptionalLong.empty() : OptionalLong.of(count);
      Allocation taken =
          answered(((SegmentStore) store).allocate(tag, wanted), "allocate", Code.INVALID_RANGE);
      Arguments.checkRange(taken.start(), taken.end(), taken.stride());
      Arguments.unsigned(
          taken.step(), "the step of a range", Code.INVALID_ANSWER, 1, Snowmint.MAX_STEP);
      return new long[] {taken.start(), taken.end(), taken.stride(), taken.step()};
    }
  }

  static void createTag(
      Object store, String tag, long start, long step, long stride, long max) {
    try (Loader ignored = new Loader(store)) {
      ((SegmentStore) store).createTag(tag, new TagOptions(start, step, stride, max));
    }
  }

  static long[] tag(Object store, String tag) {
    try (Loader ignored = new Loader(store)) {
      Optional<TagRow> row = 
          answered(((SegmentStore) store).tag(tag), "tag", Code.INVALID_ANSWER);
      row.ifPresent(
          found ->
              Arguments.unsigned(
                  found.step(), "a tag's step", Code.INVALID_ANSWER, 1, Snowmint.MAX_STEP));
      return row.map(Rows::numbers).orElse(null);
    }
  }

  static Object[] acquire(
      Object store, String realm, String owner, byte[] token, long[] fields) {
    try (Loader ignored = new Loader(store)) {
      LeaseRequest request = Rows.request(realm, owner, token, fields);
      return shown(((WorkerStore) store).acquire(request), "acquire");
    }
  }

  static Object[] renew(
      Object store,
      String realm,
      String owner,
      byte[] token,
      long[] fields,
      byte[] next,
      int reserveMs) {
    try (Loader ignored = new Loader(store)) {
      Lease held = Rows.lease(realm, owner, token, fields);
      return shown(((WorkerStore) store).renew(held, next, reserveMs), "renew");
    }
  }

  static void release(Object store, String realm, String owner, byte[] token, long[] fields) {
    try (Loader ignored = new Loader(store)) {
      ((WorkerStore) store).release(Rows.lease(realm, owner, token, fields));
    }
  }

  private static Object[] shown(Lease answer, String what) {
    Lease lease = answered(answer, what, Code.INVALID_ANSWER);
    return new Object[] {
      answered(lease.realm(), what + " of a realm", Code.INVALID_ANSWER),
      answered(lease.owner(), what + " of an owner", Code.INVALID_ANSWER),
      answered(lease.token(), what + " of a token", Code.INVALID_ANSWER),
      Rows.numbers(lease)
    };
  }

  private static <T> T answered(T answer, String what, Code code) {
    if (answer == null) {
      throw new SnowmintException(
          code,
          "the store's " + what + " gave null: return what is reserved, or throw what is wrong");
    }
    return answer;
  }

  /**
   * Sets the context class loader, so that a thread of the library sees the classes of its callee.
   */
  private static final class Loader implements AutoCloseable {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final boolean foreign = before == null || before == ClassLoader.getSystemClassLoader();

    Loader(Object store) {
      this(store.getClass().getClassLoader());
    }

    Loader(ClassLoader loader) {
      if (foreign) {
        Thread.currentThread().setContextClassLoader(loader);
      }
    }

    @Override
    public void close() {
      if (foreign) {
        Thread.currentThread().setContextClassLoader(before);
      }
    }
  }
}
