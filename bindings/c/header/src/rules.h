/*
 * The rules of all functions.
 *
 * RESULTS. Every function that can fail returns a snowmint_status: SNOWMINT_OK, which is 0, or a code.
 * Results come through pointers, and only with SNOWMINT_OK; where it says so, one may be NULL.
 * snowmint_last_message() tells the calling thread in words what was wrong with its last call that
 * failed. Nothing is used up by a call that fails, but for what a block (snowmint_source_fill) had: a
 * gap. After an error a source goes on working, unless it is closed, its ranges went back
 * (SNOWMINT_RANGE_REGRESSED), its state file is gone (SNOWMINT_STATE_MISSING) or its worker ID belongs to
 * another process (SNOWMINT_FORKED): open it anew then.
 *
 * ARGUMENTS. Texts are UTF-8 with a zero at their end. NULL where it is not allowed, text that is not
 * UTF-8, a number out of range, and a handle of the wrong kind are errors, most of them
 * SNOWMINT_INVALID_PARAMETER. Arrays and results must not overlap what other threads use, or each
 * other. Texts, arrays and structs that are passed in are read during the call alone.
 *
 * OWNERSHIP. A function that takes a pointer to a handle's pointer makes a handle; the caller ends it by
 * the function whose name ends in _free, once, when no other thread uses it any more. Constant texts
 * belong to the library. Nothing that the library returns is passed to free(). A handle that was freed
 * is like any freed memory: to use it is an error that need not be noticed.
 *
 * CLOSING. A closed handle stays valid: what would mint fails with SNOWMINT_CLOSED until it is freed,
 * but for UUIDs, of which nothing is reserved.
 *
 * THREADS. Any thread may call any function at any time; handles are shared freely. A store has one
 * thread of the library's for all its sources, which calls it and ends soon after the last; callbacks of
 * the caller's, a ring and a fixed worker ID have one each. In the caller's thread a store is called only
 * by functions that open, and by those of snowmint_store. None may be called in a signal handler.
 *
 * CANCELLATION. pthread_cancel() does not end a thread inside the library: functions that may wait put it
 * off, and the thread ends at its next cancellation point after they returned. That is of the deferred
 * type, which threads begin with: of the asynchronous one no function may be called. A function of the caller's
 * that the library calls must return: pthread_exit() or an exception in it aborts the process.
 *
 * FORK. Sources may be carried through a fork(), of a process with threads, too. A child gets a worker ID
 * or ranges of its own at its first call; with a fixed worker ID it gets SNOWMINT_FORKED. No ID is
 * issued in both. The child may free what it inherited, which does not end what the parent has. Keys and
 * public IDs change nothing, and are the same in both.
 *
 * SNAPSHOTS. A process restored or cloned from an image (of its virtual machine, by CRIU) calls
 * snowmint_on_restore() before its first ID.
 *
 * TIME. Unix milliseconds, UTC, as int64_t. A snowflake's time is that of its minting or up to
 * max_ahead_ms later, a second unless set: a full tick borrows from the future, unless max_ahead_ms is 0.
 * On Linux it can be up to 10 ms before that as well: minting reads the system's coarse clock. Waits
 * never spin.
 *
 * ERRORS INSIDE. Nothing unwinds out of a function. A defect in the library is SNOWMINT_INTERNAL.
 */
