-- The row stays, or its number would be given again; nobody can renew it.
UPDATE {table} SET PORT = '', MODIFIED = now()
WHERE ID = :id AND HOST_NAME = :host AND PORT = :port
