-- Increments a counter that exists: INCRBY would begin a missing one again. A value that is not a
-- number is returned as it is. Numbers are returned as text, because Lua's are exact only up to
-- 2^53.
local value = redis.call('GET', KEYS[1])
if not value or not string.match(value, '^-?%d+$') then
    return {0, value}
end
redis.call('INCRBY', KEYS[1], ARGV[1])
return {1, redis.call('GET', KEYS[1])}
