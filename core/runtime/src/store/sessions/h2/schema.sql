-- Schema 1. Times are Unix milliseconds of the database's clock. H2's triggers are Java classes, so
-- that nothing keeps other programs from lowering what only rises.

CREATE TABLE snowmint_schema (
    key_space      VARCHAR(32)  NOT NULL CHECK (octet_length(key_space) = 32), -- drawn when it is made
    layout         VARCHAR(255), -- which IDs are made here: the first lease's
    layout_from_ms BIGINT       DEFAULT 0 NOT NULL, -- where IDs of the layout begin
    is_only        INTEGER      DEFAULT 1 NOT NULL PRIMARY KEY CHECK (is_only = 1)
);

INSERT INTO snowmint_schema (key_space) VALUES (lower(RAWTOHEX(SECURE_RAND(16))));

CREATE TABLE snowmint_worker (
    realm       VARCHAR(255)  NOT NULL CHECK (octet_length(realm) BETWEEN 1 AND 255),
    worker_id   BIGINT        NOT NULL CHECK (worker_id BETWEEN 0 AND 4294967295),
    owner       VARCHAR(255)  NOT NULL CHECK (octet_length(owner) BETWEEN 1 AND 255),
    epoch       BIGINT        NOT NULL CHECK (epoch >= 1),
    token       VARBINARY(16) NOT NULL CHECK (octet_length(token) = 16),
    floor_ms    BIGINT        NOT NULL, -- where the present or last lease begins
    reserved_ms BIGINT        NOT NULL,
    expires_ms  BIGINT        NOT NULL,
    CHECK (reserved_ms >= floor_ms),
    PRIMARY KEY (realm, worker_id)
);

CREATE TABLE snowmint_segment (
    tag        VARCHAR(64) NOT NULL PRIMARY KEY CHECK (REGEXP_LIKE(tag, '^[A-Za-z0-9_.:/-]{1,64}$')),
    previous   BIGINT      NOT NULL, -- where the last range begins
    next       BIGINT      NOT NULL CHECK (next >= 0),
    step       BIGINT      NOT NULL CHECK (step BETWEEN 1 AND 1073741824),
    stride     BIGINT      NOT NULL CHECK (stride BETWEEN 1 AND 1073741824),
    updated_ms BIGINT      NOT NULL,
    raises     BIGINT      DEFAULT 0 NOT NULL CHECK (raises >= 0), -- how often an operator raised next
    ends       BIGINT      DEFAULT 9223372036854775807 NOT NULL CHECK (ends >= 0), -- the first number not given
    moved_to   VARCHAR, -- where the tag goes on: here it gives no number
    left_by    VARCHAR, -- the move that took it there
    came_by    VARCHAR  -- the moves that brought it here
);
