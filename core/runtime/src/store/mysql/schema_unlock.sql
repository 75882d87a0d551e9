-- Releases only this lock: a borrowed connection may hold others.
DO RELEASE_LOCK(concat('snowmint ', left(sha2(database(), 256), 32)))
