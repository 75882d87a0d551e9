-- The row stays, but no renewal matches it.
UPDATE {table} SET PORT = '', MODIFIED = now()
WHERE ID = :id AND HOST_NAME = :host AND PORT = :port
