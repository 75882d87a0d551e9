-- The tags whose ranges this server may lack, or all. Locked in the order in which all lock several:
-- none of two who vouch waits for the other, and the second finds what the first did.
SELECT tag
FROM snowmint_segment
WHERE incarnation <> @snowmint_incarnation OR CAST(:all AS signed) = 1
ORDER BY tag
FOR UPDATE
