UPDATE snowmint_segment SET moved_to = NULL, left_by = NULL, came_by = :moves WHERE tag = :tag
