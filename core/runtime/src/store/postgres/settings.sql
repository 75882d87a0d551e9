-- For this transaction alone. Names without a schema are those of our tables' schema alone, where that
-- is given, whatever search_path the user, the database or the server has. Commits are durable, whatever the user is content with elsewhere; the
-- warning that one was not waited for reaches the client; who waits for a lock gives up, even where
-- the client is gone. A transaction whose client is gone or frozen ends, which would keep its locks
-- for good: while others, who wait as long as it would, still have half of that left, and within 15 s,
-- as no call is idle for longer. A client that lives is idle for moments; one that was not has lost a
-- range, or asks again. Last come settings of the whole server, by which a crash of its machine can
-- take commits back; some that speak PostgreSQL's language have none.
SELECT
    set_config(
        'search_path', coalesce(CAST(:search_path AS text), current_setting('search_path')), true
    ),
    set_config(
        'synchronous_commit',
        CASE current_setting('synchronous_commit')
            WHEN 'remote_apply' THEN 'remote_apply'
            ELSE 'on'
        END,
        true
    ),
    set_config('client_min_messages', 'warning', true),
    set_config('lock_timeout', CAST(:lock_ms AS text), true),
    set_config(
        'idle_in_transaction_session_timeout',
        CAST(least(greatest(CAST(:lock_ms AS bigint) / 2, 1000), 15000) AS text),
        true
    ),
    current_setting('fsync', true),
    current_setting('full_page_writes', true)
