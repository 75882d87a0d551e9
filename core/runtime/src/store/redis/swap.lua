-- Replaces a row by a new one, if it is the one that is known, in a table that is whole. The keys are those
-- of the table and of the schema; the arguments the mark, the names of the table and the row, 1 if a row is
-- known, that row, and the new one. Answers 1, or what there is instead.
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
