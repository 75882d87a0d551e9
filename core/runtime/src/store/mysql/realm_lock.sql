-- Transactions that acquire in the same realm run one after the other. Otherwise most would pick
-- the same worker ID, and only one would get it. Renewals do not wait.
SELECT GET_LOCK(concat('snowmint ', left(sha2(concat(database(), '/', :realm), 256), 32)), :lock_s)
