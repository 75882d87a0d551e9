// Makes JavaScript objects for the engine: rows that are made often, and errors.

/** Makes an error of this copy's class. */
let make

export function raiseBy(makeError) {
  make = makeError
}

export function raised(number, message, waitMs) {
  return make(number, message, waitMs === undefined ? {} : { waitMs })
}

export function partsRow(unixMs, workerId, sequence, rollback) {
  return { unixMs, workerId, sequence, rollback }
}

export function rangeRow(start, end, stride, count) {
  return { start, end, stride, count }
}
