-- Of a connection that is borrowed, which may have other locks.
DO RELEASE_LOCK(concat('snowmint ', sha1(database())))
