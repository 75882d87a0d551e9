SELECT previous, next, stride, step FROM snowmint_segment WHERE tag = :tag
