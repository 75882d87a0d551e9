-- Processes that make the tables of a database do so one after the other.
SELECT GET_LOCK(concat('snowmint ', sha1(database())), CAST(:lock_s AS signed))
