// A process that holds sources and leaves in the way given.

import { Segment, Snowflake, open } from 'snowmint'

const [, , way, dir] = process.argv
const flake = await open(`snowflake+sqlite:${dir}/ids.db?create=true`)
const fixed = new Snowflake({ workerId: 7, stateDirectory: dir })
const segment = new Segment({ tag: 'own', allocate: async (_tag, count) => [1n, BigInt(count)] })
// Held, as whoever answers some day would hold it: a promise that nobody can resolve is collected.
const answers = []
const silent = new Segment({ tag: 'silent', allocate: () => new Promise(answer => answers.push(answer)), waitMs: 100 })
console.log(flake.nextId() > 0n, fixed.nextId() > 0n, await segment.nextIdAsync())
await silent.nextIdAsync().catch(error => console.log(error.code))
if (way === 'exit') process.exit(0)
if (way === 'throw') throw new Error('on purpose')
