// Long work in slices, one a task, so that no input keeps the page busy. Work is a generator that
// yields after each step what the step cost: about 1 for a number that is looked at.

/** What a slice costs at most, but for its last step: a few milliseconds. */
export const SLICE = 4000
/** What it costs to take a word up, and to read it in all forms. */
export const WORD = 4
export const READING = 40
/** How many numbers are looked at in a step. */
export const PART = 500

/** Does work to its end at once: what it returns. */
export function finish(work) {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** One slice of some work, as the generator's last step. */
export function slice(work) {
  for (let left = SLICE; ; ) {
    const step = work.next()
    left -= step.value
    if (step.done || left <= 0) return step
  }
}

/**
 * One work at a time, begun at once: `run(work, take)` calls `take` with what it returns. It ends
 * the work before, as `cancel()` does.
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

/** What `each` makes of every item, in steps of the same cost. */
export function* mapped(items, cost, each) {
  const made = []
  for (const item of items) {
    made.push(each(item))
    yield cost
  }
  return made
}
