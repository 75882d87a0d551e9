/*
 * The rules of all functions.
 *
 * RESULTS. Every function that can fail returns a snowmint_status: SNOWMINT_OK, which is 0, or a code.
 * Results come through pointers, and only with SNOWMINT_OK. Such a pointer may be NULL only where a
 * function says so. snowmint_last_message() tells the calling thread in words what was wrong with its
 * last call that failed. A call that fails uses nothing up, but the IDs that snowmint_source_fill
 * already had are a gap. After an error a source goes on working, except if it is closed, its ranges
 * went back (SNOWMINT_RANGE_REGRESSED), its state file is gone (SNOWMINT_STATE_MISSING) or its worker
 * ID belongs to another process (SNOWMINT_FORKED): then open it anew.
 *
 * ARGUMENTS. Texts are UTF-8 with a zero at their end. NULL where it is not allowed, text that is not
 * UTF-8, a number out of range, and a handle of the wrong kind are errors, most of them
 * SNOWMINT_INVALID_PARAMETER. Arrays and results must not overlap each other, or memory that other
 * threads use. The library reads texts, arrays and structs only during the call.
 *
 * OWNERSHIP. A function that takes a pointer to a handle's pointer creates a handle. End it once, by the
 * function whose name ends in _free, when no other thread uses it any more. Constant texts belong to
 * the library. Never pass anything that the library returns to free(). A freed handle is like any freed
 * memory: the library may not notice that it is used.
 *
 * CLOSING. A closed handle stays valid until it is freed. Calls that mint then fail with
 * SNOWMINT_CLOSED, except for UUIDs, which reserve nothing.
 *
 * THREADS. Any thread may call any function at any time; handles are shared freely. The library has one
 * thread for each store, which calls the store for all its sources and ends soon after the last of them.
 * Your callbacks, a ring and a fixed worker ID have one thread each. In your own threads, only functions
 * that open something, and the functions of snowmint_store, call a store. Do not call any function in a
 * signal handler.
 *
 * CANCELLATION. pthread_cancel() does not end a thread inside the library: functions that may wait put it
 * off, and the thread ends at its next cancellation point after they returned. This holds for deferred
 * cancellation, the default of a thread. With asynchronous cancellation no function may be called. Your
 * callbacks must return: pthread_exit() or an exception in one aborts the process.
 *
 * FORK. Sources survive a fork(), also of a process with threads. A child gets its own worker ID or
 * ranges at its first call; with a fixed worker ID it gets SNOWMINT_FORKED. No ID is issued in both
 * processes. The child may free the handles that it inherited, which does not end the parent's. Keys and
 * public IDs do not change, and are the same in both.
 *
 * SNAPSHOTS. A process restored or cloned from an image (of its virtual machine, by CRIU) must call
 * snowmint_on_restore() before its first ID.
 *
 * TIME. Times are Unix milliseconds, UTC, as int64_t. A snowflake's time is the time of its minting or
 * up to max_ahead_ms later (default a second), because a full tick borrows from the future. If
 * max_ahead_ms is 0, it does not. On Linux the time can also be up to 10 ms earlier, because minting
 * reads the system's coarse clock. Waits never spin.
 *
 * ERRORS INSIDE. Nothing unwinds out of a function. A defect in the library is SNOWMINT_INTERNAL.
 */
