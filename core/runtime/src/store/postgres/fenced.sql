-- Whose ranges of a tag this server may lack.
SELECT incarnation FROM snowmint_segment
WHERE tag = :tag AND incarnation <> nullif(current_setting('snowmint.incarnation', true), '')
