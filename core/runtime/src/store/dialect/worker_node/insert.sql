-- Inserts a row as the owner's code does: type 2 is a process outside a container. Without a host
-- it inserts none.
INSERT INTO {table} (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
SELECT :host, :port, 2, current_date, now(), now()
FROM (SELECT 1 AS one) AS row_of_one
WHERE CAST(:host AS {text}) IS NOT NULL
