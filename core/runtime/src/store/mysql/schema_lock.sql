-- Processes that make the tables of a database do so one after the other.
SELECT GET_LOCK(concat('snowmint ', left(sha2(database(), 256), 32)), CAST(:lock_s AS signed))
