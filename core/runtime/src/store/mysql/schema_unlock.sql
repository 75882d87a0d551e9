-- Releases only this lock: a borrowed connection may hold others.
DO RELEASE_LOCK(concat('snowmint ', sha1(database())))
