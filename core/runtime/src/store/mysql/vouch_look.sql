-- Returns the tags whose ranges this server may lack, or all. All statements lock tags in the same
-- order, so that two operators cannot deadlock, and the second sees what the first did.
SELECT tag
FROM snowmint_segment
WHERE incarnation <> @snowmint_incarnation OR CAST(:all AS signed) = 1
ORDER BY tag
FOR UPDATE
