-- Replaces a counter's value, if it is the one that is known, and lets it live as long as it would; what
-- says that it moved stays.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
if ARGV[3] == 'moved' then
    redis.call('SET', KEYS[1], ARGV[2])
else
    redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
end
return 1
