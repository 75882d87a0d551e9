-- Schema 1. Times are Unix milliseconds of the server's clock. Blank lines separate the statements.
-- They run in one transaction, after settings.sql, which selects our schema, and before
-- incarnation.sql and schema_row.sql, which begin the key space. `snowmint migrate --dry-run`
-- prints them all.

CREATE TABLE IF NOT EXISTS snowmint_schema (
    version         integer NOT NULL CHECK (version >= 1),
    incarnation     text NOT NULL DEFAULT '', -- which server gave or renewed the last lease
    tag_incarnation text NOT NULL DEFAULT '', -- which server may make tags
    key_space       text NOT NULL DEFAULT replace(CAST(gen_random_uuid() AS text), '-', ''),
    layout          text, -- the layout of the IDs, set by the first lease
    layout_from_ms  bigint NOT NULL DEFAULT 0, -- where IDs of the layout begin
    tags_from       bigint NOT NULL DEFAULT 0 CHECK (tags_from >= 0), -- where new tags begin
    longest_reserve_ms bigint NOT NULL DEFAULT 67500 CHECK (longest_reserve_ms >= 1),
    waits_until_ms  bigint NOT NULL DEFAULT 0, -- leases that were lost may last until then
    is_behind       boolean NOT NULL DEFAULT FALSE, -- the clock of the former server was ahead
    is_only         boolean PRIMARY KEY DEFAULT TRUE CHECK (is_only)
)

CREATE TABLE IF NOT EXISTS snowmint_worker (
    realm       text COLLATE "C" NOT NULL CHECK (octet_length(realm) BETWEEN 1 AND 255),
    worker_id   bigint NOT NULL CHECK (worker_id BETWEEN 0 AND 4294967295),
    owner       text   NOT NULL CHECK (octet_length(owner) BETWEEN 1 AND 255),
    epoch       bigint NOT NULL CHECK (epoch >= 1),
    token       bytea  NOT NULL CHECK (octet_length(token) = 16),
    floor_ms    bigint NOT NULL, -- where the present or last lease begins
    reserved_ms bigint NOT NULL CHECK (reserved_ms >= floor_ms),
    expires_ms  bigint NOT NULL,
    updated_ms  bigint NOT NULL, -- when it was last written
    PRIMARY KEY (realm, worker_id)
)

CREATE TABLE IF NOT EXISTS snowmint_segment (
    tag         text COLLATE "C" NOT NULL PRIMARY KEY CHECK (tag ~ '^[A-Za-z0-9_.:/-]{1,64}$'),
    previous    bigint NOT NULL, -- next minus the length of the last range
    next        bigint NOT NULL CHECK (next >= 0),
    step        bigint NOT NULL CHECK (step BETWEEN 1 AND 1073741824),
    stride      bigint NOT NULL CHECK (stride BETWEEN 1 AND 1073741824),
    updated_ms  bigint NOT NULL,
    raises      bigint NOT NULL DEFAULT 0 CHECK (raises >= 0), -- how often an operator raised next
    ends        bigint NOT NULL DEFAULT 9223372036854775807 CHECK (ends >= 0), -- the first number not given
    incarnation text   NOT NULL, -- which server gave the last range
    moved_to    text, -- where the tag continues, giving no numbers here
    left_by     text, -- the move that took it there
    came_by     text -- the moves that brought it here
)

CREATE OR REPLACE FUNCTION snowmint_worker_rises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.reserved_ms < OLD.reserved_ms THEN RAISE EXCEPTION 'reserved_ms never falls'; END IF;
    RETURN NEW;
END $$

CREATE OR REPLACE TRIGGER snowmint_worker_rises BEFORE UPDATE OF reserved_ms ON snowmint_worker
FOR EACH ROW EXECUTE FUNCTION snowmint_worker_rises()

CREATE OR REPLACE FUNCTION snowmint_segment_rises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.next < OLD.next THEN RAISE EXCEPTION 'next never falls'; END IF;
    RETURN NEW;
END $$

CREATE OR REPLACE TRIGGER snowmint_segment_rises BEFORE UPDATE OF next ON snowmint_segment
FOR EACH ROW EXECUTE FUNCTION snowmint_segment_rises()
