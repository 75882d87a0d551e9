-- Those who acquire in one realm go one after the other: else most would pick the same worker ID,
-- and one would get it. Renewals wait for nobody.
SELECT GET_LOCK(concat('snowmint ', sha1(concat(database(), '/', :realm))), :lock_s)
