-- Waits for transactions that make tags, and has others wait: a tag that is made meanwhile would give
-- ranges here and in the copy.
LOCK TABLE snowmint_segment IN SHARE ROW EXCLUSIVE MODE
