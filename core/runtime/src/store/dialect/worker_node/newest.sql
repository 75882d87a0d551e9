-- Checked before an insert: an attempt would use up a number even if no layout can hold it.
SELECT CAST(coalesce(max(ID), 0) AS {integer}) FROM {table}
