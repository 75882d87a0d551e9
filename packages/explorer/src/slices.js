// Runs long work in slices, one a task, so that no input keeps the page busy. Work is a generator
// that yields the cost of each step: about 1 for a number that is examined.

/** The largest cost of a slice, without its last step: a few milliseconds. */
export const SLICE = 4000
/** The cost of reading a word. */
export const WORD = 4
/** The count of numbers that are examined in a step. */
export const PART = 500

/** Runs work to its end at once, and returns its result. */
export function finish(work) {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Runs one slice of work, and returns the generator's last step. */
export function slice(work) {
  for (let left = SLICE; ; ) {
    const step = work.next()
    left -= step.value
    if (step.done || left <= 0) return step
  }
}

/**
 * Creates a runner of one work at a time. `run(work, take)` begins at once, and calls `take` with
 * the result. It ends the work before, as `cancel()` does.
 */
export function makeSlices() {
  let timer

  function cancel() {
    clearTimeout(timer)
  }

  function run(work, take) {
    cancel()
    const { done, value } = slice(work)
    if (done) take(value)
    else timer = setTimeout(() => run(work, take))
  }

  return { run, cancel }
}
