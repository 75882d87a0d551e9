-- Whether some sessions of this database are told which server they ask.
SELECT TRUE
WHERE EXISTS (SELECT * FROM snowmint_schema WHERE incarnation IS NOT NULL)
    OR EXISTS (SELECT * FROM snowmint_schema WHERE tag_incarnation <> 'untold')
    OR EXISTS (SELECT * FROM snowmint_segment WHERE incarnation <> 'untold')
    OR EXISTS (SELECT * FROM snowmint_segment WHERE ceiling_incarnation IS NOT NULL)
