-- All settings are of this transaction only.
-- search_path: if the schema of our tables is configured, names are looked up there only.
-- synchronous_commit: commits are durable, whatever the user's default is.
-- client_min_messages: the warning that a commit was not waited for reaches the client.
-- lock_timeout: a statement that waits for a lock gives up, even if its client is gone.
-- idle_in_transaction_session_timeout: a transaction whose client is gone or frozen ends, so that others
-- still have half of their waiting time, and within 15 s, because no call is idle for longer. A live
-- client that was idle for too long has lost a range, or asks again.
-- fsync and full_page_writes are of the whole server: with either off, a crash of the machine can take
-- commits back. Some servers that speak PostgreSQL's protocol have neither.
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
