-- Replaces a counter's value, if it is the one that is known, and lets it live as long as it would.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
