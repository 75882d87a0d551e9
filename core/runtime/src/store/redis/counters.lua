-- Counts up a counter that is there: one that is not would begin again. What is no number is answered as
-- it is. As texts: a number of this language's is exact up to 2^53 alone.
local value = redis.call('GET', KEYS[1])
if not value or not string.match(value, '^-?%d+$') then
    return {0, value}
end
redis.call('INCRBY', KEYS[1], ARGV[1])
return {1, redis.call('GET', KEYS[1])}
