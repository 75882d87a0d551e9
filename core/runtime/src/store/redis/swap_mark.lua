-- Replaces the mark of a key space if it still has the known value.
if redis.call('HGET', KEYS[1], '') ~= ARGV[1] then
    return 0
end
redis.call('HSET', KEYS[1], '', ARGV[2])
return 1
