-- Schema 1, for MySQL 8 and MariaDB 10.6 or later. Times are Unix milliseconds of the server's
-- clock. Names are bytes, so that no collation treats two as equal. There are no triggers: with a
-- binary log they require a privilege that applications do not have. Blank lines separate the
-- statements. Each is committed by itself, so the version comes last: tables whose creation was
-- interrupted have none. They run after settings.sql and incarnation.sql;
-- `snowmint migrate --dry-run` prints them all. The key space is drawn into a variable first, so
-- that a replica that repeats statements has the same one.

CREATE TABLE IF NOT EXISTS snowmint_schema (
    version         integer NOT NULL CHECK (version >= 1),
    incarnation     varbinary(255) NOT NULL DEFAULT '', -- which server gave or renewed the last lease
    tag_incarnation varbinary(255) NOT NULL DEFAULT '', -- which server may make tags
    key_space       char(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    layout          varbinary(255), -- the layout of the IDs, set by the first lease
    layout_from_ms  bigint NOT NULL DEFAULT 0, -- where IDs of the layout begin
    tags_from       bigint NOT NULL DEFAULT 0 CHECK (tags_from >= 0), -- where new tags begin
    longest_reserve_ms bigint NOT NULL DEFAULT 67500 CHECK (longest_reserve_ms >= 1),
    waits_until_ms  bigint NOT NULL DEFAULT 0, -- leases that were lost may last until then
    is_behind       tinyint NOT NULL DEFAULT 0, -- the clock of the former server was ahead
    is_only         tinyint NOT NULL DEFAULT 1 PRIMARY KEY CHECK (is_only = 1)
) ENGINE = InnoDB

CREATE TABLE IF NOT EXISTS snowmint_worker (
    realm       varbinary(255) NOT NULL CHECK (length(realm) >= 1),
    worker_id   bigint NOT NULL CHECK (worker_id BETWEEN 0 AND 4294967295),
    owner       varbinary(255) NOT NULL CHECK (length(owner) >= 1),
    epoch       bigint NOT NULL CHECK (epoch >= 1),
    token       binary(16) NOT NULL,
    floor_ms    bigint NOT NULL, -- where the present or last lease begins
    reserved_ms bigint NOT NULL,
    expires_ms  bigint NOT NULL,
    updated_ms  bigint NOT NULL, -- when it was last written
    PRIMARY KEY (realm, worker_id),
    CHECK (reserved_ms >= floor_ms)
) ENGINE = InnoDB

CREATE TABLE IF NOT EXISTS snowmint_segment (
    tag         varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    previous    bigint NOT NULL, -- next minus the length of the last range
    next        bigint NOT NULL CHECK (next >= 0),
    step        bigint NOT NULL CHECK (step BETWEEN 1 AND 1073741824),
    stride      bigint NOT NULL CHECK (stride BETWEEN 1 AND 1073741824),
    updated_ms  bigint NOT NULL,
    raises      bigint NOT NULL DEFAULT 0 CHECK (raises >= 0), -- how often an operator raised next
    ends        bigint NOT NULL DEFAULT 9223372036854775807 CHECK (ends >= 0), -- the first number not given
    moved_to    varbinary(255), -- where the tag continues, giving no numbers here
    left_by     varbinary(255), -- the move that took it there
    came_by     varbinary(255), -- the moves that brought it here
    incarnation varbinary(255) NOT NULL -- which server gave the last range
) ENGINE = InnoDB

SET @snowmint_key_space = left(sha2(concat_ws('/', uuid(), rand(), rand(), UTC_TIMESTAMP(6), connection_id()), 256), 32)

INSERT IGNORE INTO snowmint_schema (version, incarnation, tag_incarnation, key_space)
VALUES (1, @snowmint_incarnation, @snowmint_incarnation, @snowmint_key_space)
