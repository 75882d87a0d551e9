-- What this very attempt was given, if its answer was lost, lives a little longer: a change, so that
-- this commit waits for a replica as well. The one before may have been seen here alone.
UPDATE snowmint_worker SET expires_ms = expires_ms + 1
WHERE realm = :realm AND owner = :owner AND token = :token
