package io.github.snowmint.internal;

import java.sql.SQLException;

/**
 * The native methods. Each is explained beside its function in {@code bindings/java}. A failure is
 * thrown as a {@code SnowmintException}.
 */
public final class Native {
  /** The value that stands for an ID that is not available at once. */
  public static final long NONE = Long.MIN_VALUE;

  /** The value that stands for an absent number. */
  public static final long ABSENT = Long.MIN_VALUE;

  static {
    NativeLibrary.load();
    logEvents();
    try {
      Checkpoint.watch();
    } catch (LinkageError absent) {
      // Without org.crac there are no images, or the application calls Snowmint.onRestore.
    }
  }

  private Native() {}

  public static native long tryId(long handle);

  public static native String version();

  public static native Object[] codes();

  public static native Object[] presets();

  public static native String[] policyNames();

  public static native long[] policyNamed(String name);

  public static native int policyAction(long[] of, int code, long waitMs);

  public static native long maxCount();

  public static native long maxNumber();

  public static native long maxStep();

  public static native long maxDistance();

  public static native long layoutNamed(String name);

  public static native long layoutOf(String fields, long epochMs, long tickMs);

  public static native String layoutText(long handle);

  public static native long[] layoutNumbers(long handle);

  public static native long[] layoutFields(long handle);

  public static native String fieldName(int kind);

  public static native int layoutFits(long handle, int bits, long[] out);

  public static native void layoutDecode(long handle, long id, long[] out);

  public static native void layoutDecodeAll(
      long handle, long[] ids, long[] times, long[] workers, long[] sequences, long[] rollbacks);

  public static native long layoutEncode(
      long handle, long unixMs, long workerId, long sequence, long rollback);

  public static native long layoutTickAt(long handle, long unixMs);

  public static native long layoutMinId(long handle, long unixMs);

  public static native long layoutMaxId(long handle, long unixMs);

  public static native long layoutWorkerId(long handle, int[] kinds, long[] values);

  public static native long[] layoutWorkerParts(long handle, long workerId);

  public static native long[] guess(long id, long nowMs, String beside);

  public static native long rangeCount(long start, long end, long stride);

  public static native long[] rangeNumbers(long start, long end, long stride);

  public static native Object[] textForms();

  public static native String textFormat(int number, long id);

  public static native long textParse(int number, String written);

  public static native int textDetect(String written);

  public static native int tryEncode(long handle, long id, byte[] out);

  public static native long tryDecode(long handle, String written);

  public static native long openPublicIdKeys(String source);

  public static native long readPublicIdKeys(byte[] document);

  public static native long generatePublicIdKeys();

  public static native void freePublicIdKeys(long handle);

  public static native String publicIdKeysToml(long handle);

  public static native String[] publicIdKeysFacts(long handle);

  public static native String[] publicIdFormNames();

  public static native long publicIds(long handle, String kind, int number);

  public static native void freePublicIds(long handle);

  public static native String encodePublic(long handle, long id);

  public static native long decodePublic(long handle, String written);

  public static native String[] encodePublics(long handle, long[] numbers);

  public static native long[] decodePublics(long handle, String[] written);

  public static native void encodeUuid(long handle, long id, long[] out);

  public static native long decodeUuid(long handle, long high, long low);

  public static native long encodeNumber(long handle, long id, int bits);

  public static native long decodeNumber(long handle, long number, int bits);

  public static native long pollOpen(long handle, long leftNs);

  public static native long pollId(long handle, long[] out, long leftNs);

  public static native long pollFill(long handle, long[] array, int from, int past, long leftNs);

  public static native long pollRange(long handle, long wanted, long[] out, long leftNs);

  public static native long pollKey(long handle, long key, long[] out, long leftNs);

  public static native long[] dailyIds(long handle, int count);

  public static native void dailyFill(long handle, long[] array);

  public static native void checkCount(long count);

  public static native void checkAtOnce(long handle, int count);

  public static native void closeSource(long handle);

  public static native void closeSourceWithin(long handle, long waitMs);

  public static native Object[] sourceStats(long handle, long held);

  public static native void onRestore();

  private static native void logEvents();

  public static native void freeSource(long handle);

  public static native long openUuid(int version);

  public static native void nextUuid(long handle, long[] out);

  public static native int uuidVersion(long handle);

  public static native long openUrl(String kind, String url, boolean lazy, long[] out);

  public static native long openSnowflake(
      String worker,
      long store,
      Object object,
      long on,
      long[] policyNumbers,
      String startText,
      long[] startNumbers,
      long reserveMs,
      String state,
      long waitMs);

  public static native long openSegment(
      long store,
      Object object,
      String name,
      long[] stepNumbers,
      long runwayMs,
      long[] prefetchNumbers,
      long waitMs);

  public static native long openDaily(
      long store,
      Object object,
      String name,
      String zone,
      long digits,
      long stepSize,
      long[] prefetchNumbers,
      long waitMs);

  public static native long openSequences(
      long store, Object object, String name, long keysPerSection, long stepSize, long waitMs);

  public static native long defaultWaitMs();

  public static native long[] startNumbers(String text);

  public static native long openStore(String url);

  public static native long openSqlite(String path, boolean create);

  public static native String[] migrate(String url, boolean isDry);

  public static native long openSessions(
      Object transactions,
      String schema,
      String keySpace,
      boolean isSynchronous,
      long answerMs);

  public static native boolean sessionsTables(
      Object transactions,
      String schema,
      String keySpace,
      boolean isSynchronous,
      long answerMs,
      boolean create);

  public static native boolean work(long work, Object transaction, int database)
      throws SQLException;

  public static native void freeStore(long handle);

  public static native void storeCreateTag(long handle, String name, long[] options);

  public static native long[] storeChangeTag(long handle, String name, long[] change);

  public static native Object[] storeVouch(
      long handle, String server, long raiseBySteps, long newFrom);

  public static native long[] storeTag(long handle, String name);

  public static native Object[] storeTags(long handle);

  public static native long[] storeAllocate(long handle, String name, long count);

  public static native Object[] storeWorkers(long handle);

  public static native boolean storeEvict(long handle, String realm, long workerId);

  public static native long[] storeAcquire(
      long handle, String realm, String owner, byte[] bytes, long[] fields);

  public static native long[] storeRenew(
      long handle,
      String realm,
      String owner,
      byte[] bytes,
      long[] fields,
      byte[] next,
      int reserveMs);

  public static native void storeRelease(
      long handle, String realm, String owner, byte[] bytes, long[] fields);

  public static native long newMachine(
      long on,
      long workerId,
      long rollback,
      long floor,
      long reserved,
      long maxAheadMs,
      long[] startNumbers);

  public static native void freeMachine(long handle);

  public static native long machineNextId(long handle, long nowMs);

  public static native long[] machineIssue(long handle, long n, long nowMs);

  public static native void machineExtend(long handle, long reserved);

  public static native void machineOpen(
      long handle, long workerId, long rollback, long floor, long reserved);

  public static native void machineJump(
      long handle, long workerId, long rollback, long floor, long reserved);

  public static native long newBuffer(long[] prefetchNumbers, long[] stepNumbers, long above);

  public static native void freeBuffer(long handle);

  public static native long bufferWants(long handle, long nowMs);

  public static native long[] bufferTake(long handle, long n);

  public static native long[] bufferTakeUntilRequest(long handle);

  public static native void bufferSupply(
      long handle, long start, long end, long stride, long nowMs);

  public static native void bufferFailed(long handle);

  public static native void bufferResize(long handle, long[] stepNumbers);

  public static native long[] bufferNumbers(long handle);

  public static native void checkStep(long[] stepNumbers);

  public static native void checkPrefetch(long[] prefetchNumbers);
}
