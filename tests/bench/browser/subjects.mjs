// What is measured, in Node and in a page alike: the package on WebAssembly, its floor, and peers.

import { TwitterSnowflake } from '@sapphire/snowflake'
import FlakeIdGen from 'flake-idgen'

/**
 * (module (func (export "empty") (param i32 f64) (result i64) (i64.const 1541815603606036480))):
 * what a call costs that mints nothing.
 */
const EMPTY = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 124, 1, 126, 3, 2, 1, 0, 7, 9, 1, 5, 101, 109, 112, 116, 121,
  0, 0, 10, 14, 1, 12, 0, 66, 128, 160, 180, 205, 253, 192, 232, 178, 21, 11,
])

const BLOCK = 4096

/** A loop of its own for each function: a shared one would be compiled for all of them. */
export function loop(call) {
  return new Function('call', 'return n => { let last; for (let i = 0; i < n; i++) last = call(); return last }')(call)
}

function flakeOf({ Layout, Snowflake }) {
  // Enough IDs a millisecond that the clock is never waited for.
  const layout = new Layout('time:31,worker:16,sequence:16', { epochMs: Date.now() - 60_000 })
  return new Snowflake({ worker: 'random', layout })
}

export function subjects(snowmint) {
  const { empty } = new WebAssembly.Instance(new WebAssembly.Module(EMPTY)).exports
  const flake = flakeOf(snowmint)
  const array = new BigUint64Array(BLOCK)
  const flakeIdGen = new (FlakeIdGen.default ?? FlakeIdGen)()
  return [
    { name: 'an empty wasm call and Date.now()', run: loop(() => empty(7, Date.now())), count: 400_000 },
    { name: 'nextId()', run: loop(() => flake.nextId()), count: 400_000 },
    { name: 'nextIdString()', run: loop(() => flake.nextIdString()), count: 100_000 },
    { name: 'fill(array)', run: loop(() => flake.fill(array)), count: 100, of: BLOCK },
    { name: '@sapphire/snowflake', run: loop(() => TwitterSnowflake.generate()), count: 50_000 },
    {
      name: 'flake-idgen',
      count: 20_000,
      run: loop(() => {
        for (;;) {
          try {
            return flakeIdGen.next()
          } catch {
            // A full millisecond is an error: ask until the next one.
          }
        }
      }),
    },
  ]
}

/** Nanoseconds an ID by name, a list over the rounds, in each of which all are measured in turn. */
export function measured(list, rounds) {
  const figures = Object.fromEntries(list.map(({ name }) => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (const { name, run, count, of = 1 } of list) {
      const start = performance.now()
      run(count)
      const ns = (performance.now() - start) * 1e6 / count / of
      // The first two warm the compiler up.
      if (round >= 0) figures[name].push(ns)
    }
  }
  return figures
}
