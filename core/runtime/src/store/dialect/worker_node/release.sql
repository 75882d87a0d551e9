-- The row stays, because its number would be given again otherwise. No renewal matches it.
UPDATE {table} SET PORT = '', MODIFIED = now()
WHERE ID = :id AND HOST_NAME = :host AND PORT = :port
