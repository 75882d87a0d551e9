-- A repeat of the same attempt finds its own token.
UPDATE {table} SET PORT = :next, MODIFIED = now()
WHERE ID = :id AND HOST_NAME = :host AND PORT IN (:port, :next)
