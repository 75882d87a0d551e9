-- Counts up a counter that is there: one that is not would begin again. A text is answered as it is.
local value = redis.call('GET', KEYS[1])
if not value or not string.match(value, '^-?%d+$') then
    return value
end
return redis.call('INCRBY', KEYS[1], ARGV[1])
