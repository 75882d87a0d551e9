-- For this transaction: its commit is on this server's disk when it is answered, and waits for no
-- standby.
SELECT set_config('synchronous_commit', 'local', true)
