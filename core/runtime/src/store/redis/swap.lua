-- Replaces a value by a new one, if it is the one that is known, in a key space that was begun: the second
-- argument is 1 if any is known, the last one the mark of the key space.
if redis.call('GET', KEYS[2]) ~= ARGV[5] then
    return 0
end
local present = redis.call('HGET', KEYS[1], ARGV[1])
if (ARGV[2] == '1' and present ~= ARGV[3]) or (ARGV[2] == '0' and present) then
    return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
return 1
