// The subjects, in Node and in a page alike: the package on WebAssembly, its floor, and peers.

import { TwitterSnowflake } from '@sapphire/snowflake'
import FlakeIdGen from 'flake-idgen'
import { nanoid } from 'nanoid'
import { v4, v7 } from 'uuid'

import { Floor, initSync } from './floor/snowmint.js'

/** The name of the subject with which all others are compared. */
export const FLOOR = 'an empty wasm-bindgen call and Date.now()'

const BLOCK = 4096

/** A loop of its own for each function: a shared one would be compiled for all of them. */
export function loop(call) {
  return new Function('call', 'return n => { let last; for (let i = 0; i < n; i++) last = call(); return last }')(call)
}

function flakeOf({ Layout, Snowflake }) {
  // Enough IDs a millisecond that the clock is never waited for.
  const layout = new Layout('time:31,worker:16,sequence:16', { epochMs: Date.now() - 60_000 })
  return new Snowflake({ workerId: 'random', layout })
}

/** `module` is the floor's. */
export function subjects(snowmint, module) {
  initSync({ module })
  const floor = new Floor()
  const flake = flakeOf(snowmint)
  const array = new BigUint64Array(BLOCK)
  const flakeIdGen = new (FlakeIdGen.default ?? FlakeIdGen)()
  return [
    { name: FLOOR, run: loop(() => floor.empty(Date.now())), count: 400_000 },
    { name: 'Date.now()', run: loop(() => Date.now()), count: 400_000 },
    { name: 'nextId()', run: loop(() => flake.nextId()), count: 400_000 },
    { name: 'nextIdString()', run: loop(() => flake.nextIdString()), count: 100_000 },
    { name: 'fill(array)', run: loop(() => flake.fill(array)), count: 100, of: BLOCK },
    { name: 'crypto.randomUUID', run: loop(() => crypto.randomUUID()), count: 50_000 },
    { name: 'uuid v4', run: loop(() => v4()), count: 50_000 },
    { name: 'uuid v7', run: loop(() => v7()), count: 50_000 },
    { name: 'nanoid', run: loop(() => nanoid()), count: 50_000 },
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
