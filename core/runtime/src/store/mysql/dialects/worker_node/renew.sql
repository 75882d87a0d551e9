-- A repeat of the same attempt finds its own token.
UPDATE WORKER_NODE SET PORT = :next, MODIFIED = now()
WHERE ID = :id AND HOST_NAME = :host AND PORT IN (:port, :next)
