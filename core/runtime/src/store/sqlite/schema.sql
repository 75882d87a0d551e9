-- Schema 1. Times are Unix milliseconds of this machine's clock.

CREATE TABLE snowmint_schema (
    key_space TEXT    NOT NULL CHECK (length(key_space) = 32), -- drawn when the file is made
    layout    TEXT, -- which IDs are made here: the first lease's
    from_ms   INTEGER NOT NULL DEFAULT 0, -- where IDs of the layout begin
    is_only   INTEGER NOT NULL DEFAULT 1 PRIMARY KEY CHECK (is_only = 1)
) STRICT, WITHOUT ROWID;

INSERT INTO snowmint_schema (key_space) VALUES (lower(hex(randomblob(16))));

CREATE TABLE snowmint_worker (
    realm       TEXT    NOT NULL CHECK (length(CAST(realm AS BLOB)) BETWEEN 1 AND 255),
    worker_id   INTEGER NOT NULL CHECK (worker_id BETWEEN 0 AND 4294967295),
    owner       TEXT    NOT NULL CHECK (length(CAST(owner AS BLOB)) BETWEEN 1 AND 255),
    epoch       INTEGER NOT NULL CHECK (epoch >= 1),
    token       BLOB    NOT NULL CHECK (length(token) = 16),
    floor_ms    INTEGER NOT NULL, -- where the present or last lease begins
    reserved_ms INTEGER NOT NULL CHECK (reserved_ms >= floor_ms),
    expires_ms  INTEGER NOT NULL,
    PRIMARY KEY (realm, worker_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER snowmint_worker_rises BEFORE UPDATE OF reserved_ms ON snowmint_worker
WHEN NEW.reserved_ms < OLD.reserved_ms
BEGIN
    SELECT RAISE(ABORT, 'reserved_ms never falls');
END;

CREATE TABLE snowmint_segment (
    tag        TEXT    NOT NULL PRIMARY KEY
                       CHECK (length(tag) BETWEEN 1 AND 64 AND tag NOT GLOB '*[^A-Za-z0-9_.:/-]*'),
    previous   INTEGER NOT NULL, -- where the last range begins
    next       INTEGER NOT NULL CHECK (next BETWEEN 0 AND 9223372036854775807),
    step       INTEGER NOT NULL CHECK (step BETWEEN 1 AND 1073741824),
    stride     INTEGER NOT NULL CHECK (stride BETWEEN 1 AND 1073741824),
    updated_ms INTEGER NOT NULL,
    raises     INTEGER NOT NULL DEFAULT 0 CHECK (raises >= 0), -- how often an operator raised next
    ends       INTEGER NOT NULL DEFAULT 9223372036854775807 CHECK (ends >= 0), -- the first number not given
    moved_to   TEXT, -- where the tag goes on: here it gives no number
    left_by    TEXT, -- the move that took it there
    came_by    TEXT  -- the moves that brought it here
) STRICT, WITHOUT ROWID;

CREATE TRIGGER snowmint_segment_rises BEFORE UPDATE OF next ON snowmint_segment
WHEN NEW.next < OLD.next
BEGIN
    SELECT RAISE(ABORT, 'next never falls');
END;
