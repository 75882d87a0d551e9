-- Replaces a row if it still has the known value, and its table is complete. Keys: the table and
-- the schema. Arguments: the mark, the table's name, the row's name, 1 if a row is known (else 0),
-- that row, and the new row. Returns 1, or the present state if it differs.
local mark, noted = redis.call('HGET', KEYS[2], ''), redis.call('HGET', KEYS[2], ARGV[2])
local count = redis.call('HLEN', KEYS[1])
local schema_ttl, ttl = redis.call('PTTL', KEYS[2]), redis.call('PTTL', KEYS[1])
local row = redis.call('HGET', KEYS[1], ARGV[3])
local is_whole = mark == ARGV[1] and count >= tonumber(noted or 0) and schema_ttl < 0 and ttl < 0
if not is_whole or (ARGV[4] == '1' and row ~= ARGV[5]) or (ARGV[4] == '0' and row) then
    return {mark, noted, count, schema_ttl, ttl, row}
end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[6])
count = redis.call('HLEN', KEYS[1])
if count ~= tonumber(noted or 0) then
    redis.call('HSET', KEYS[2], ARGV[2], count)
end
return 1
