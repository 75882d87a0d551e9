-- A repeat of the same attempt finds the token that it has set already.
UPDATE {table} SET PORT = :next, MODIFIED = now()
WHERE ID = :id AND HOST_NAME = :host AND PORT IN (:port, :next)
