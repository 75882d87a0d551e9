-- Replaces a value by a new one, if it is the one that is known: the second argument is 1 if any is.
local present = redis.call('HGET', KEYS[1], ARGV[1])
if (ARGV[2] == '1' and present ~= ARGV[3]) or (ARGV[2] == '0' and present) then
    return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
return 1
