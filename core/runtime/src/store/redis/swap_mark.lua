-- Replaces the mark of a key space, if it is the one that is known.
if redis.call('HGET', KEYS[1], '') ~= ARGV[1] then
    return 0
end
redis.call('HSET', KEYS[1], '', ARGV[2])
return 1
