-- Replaces a counter's value if it still has the known value, and keeps its time to live. The note
-- that a tag moved never expires.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
if ARGV[3] == 'moved' then
    redis.call('SET', KEYS[1], ARGV[2])
else
    redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
end
return 1
