-- Checked before an insert: an attempt would use up a number even if no layout can hold it.
SELECT coalesce(max(ID), 0) FROM {table}
