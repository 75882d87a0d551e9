UPDATE snowmint_schema SET
    layout = :layout,
    layout_from_ms = :from_ms,
    incarnation = :incarnation,
    longest_reserve_ms = :longest_reserve_ms,
    waits_until_ms = :waits_until_ms,
    is_behind = (:is_behind = 1)
