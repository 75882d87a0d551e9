-- Before any look at the table: two who acquire must not see the same worker ID free, and nobody
-- renews a lease that is being taken.
LOCK TABLE snowmint_worker IN SHARE ROW EXCLUSIVE MODE
