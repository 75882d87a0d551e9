-- As its owner does it: a process of no container is of type 2.
INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
VALUES (:host, :port, 2, current_date, now(), now())
RETURNING CAST(ID AS bigint), CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
