-- Transactions that acquire in the same realm run one after the other. Otherwise most would pick
-- the same worker ID, and only one would get it. Renewals do not wait.
SELECT GET_LOCK(concat('snowmint ', sha1(concat(database(), '/', :realm))), :lock_s)
