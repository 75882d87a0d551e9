// Medians over rounds in which everything is measured in turn.

/** Keeps what was minted from being optimised away. */
export const sink = { last: undefined }

function timed(run, count) {
  const start = process.hrtime.bigint()
  run(count)
  return Number(process.hrtime.bigint() - start) / count
}

async function timedAwaiting(call, count) {
  const start = process.hrtime.bigint()
  for (let n = 0; n < count; n++) sink.last = await call()
  return Number(process.hrtime.bigint() - start) / count
}

/** A loop of its own for each function: a shared one would be compiled for all of them. */
export function loop(call) {
  return new Function('call', 'sink', 'return n => { let last; for (let i = 0; i < n; i++) last = call(); sink.last = last }')(call, sink)
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/**
 * Measures subjects `{ name, run, count, awaited }`, one after the other, `rounds` times, and gives
 * the nanoseconds of each by its name, a list over the rounds.
 */
export async function measure(subjects, rounds) {
  const figures = new Map(subjects.map(({ name }) => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (const { name, run, count, awaited } of subjects) {
      globalThis.gc?.()
      const ns = awaited ? await timedAwaiting(run, count) : timed(run, count)
      // The first two warm the compiler up.
      if (round >= 0) figures.get(name).push(ns)
    }
  }
  return figures
}
