// Holds sources of every kind, and asks a function that never answers, until it is ended.

import { parentPort, workerData } from 'node:worker_threads'
import { Segment, Store, open } from 'snowmint'

const { dir } = workerData
const held = await Promise.all([
  open(`snowflake+sqlite:${dir}/ids.db?create=true&reserve_ms=600000`),
  open(`snowflake:?worker_id=7&state=${dir}/state`),
])
held.push(await Segment.open({ tag: 'orders', store: await Store.open(`sqlite:${dir}/ids.db?create=true`) }))
const silent = new Segment({ tag: 'own', allocate: () => new Promise(() => {}), waitMs: 500 })
silent.nextIdAsync().catch(() => {})
globalThis.held = held
parentPort.postMessage(held[0].layout.decode(held[0].nextId()).workerId)
setInterval(() => held[2].nextId(), 10)
