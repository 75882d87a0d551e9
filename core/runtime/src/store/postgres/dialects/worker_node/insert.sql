-- As its owner does it: a process of no container is of type 2. Without a host no row is added.
INSERT INTO {table} (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
SELECT :host, :port, 2, current_date, now(), now()
WHERE CAST(:host AS text) IS NOT NULL
RETURNING CAST(ID AS bigint), CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
