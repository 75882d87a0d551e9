// --8<-- [start:sources]
import { Daily, Segment, Sequences, Snowflake, Store, UuidSource, open } from 'snowmint'

const store = await Store.open('sqlite:/var/lib/shop/ids.db?create=true')
await store.ensureTag('orders')

const leased = await Snowflake.open({ store }) // leases a free worker ID
const fixed = await Snowflake.open({ workerId: 7, stateDirectory: '/var/lib/shop/state' })
const orders = await Segment.open({ tag: 'orders', store }) // 1, 2, 3, …
const tickets = await Daily.open({ tag: 'tickets', store, zone: 'Asia/Shanghai' }) // 20260821000001, …
const chat = await Sequences.open({ tag: 'chat', store }) // a sequence for each key
const uuids = new UuidSource(7) // UUIDs of version 7
// --8<-- [end:sources]

// --8<-- [start:mint]
const id = await leased.nextIdAsync() // a bigint; waits up to 5 s
const now = leased.nextId() // a bigint at once, or an error
const text = leased.nextIdString('base32') // 13 symbols
const some = leased.nextIds(100) // a BigUint64Array
const message = await chat.nextAsync(42) // the next number of key 42
const uuid = uuids.nextUuid()
for (const next of leased) break
// --8<-- [end:mint]

import assert from 'node:assert/strict'
assert.equal(new Set([id, now, ...some]).size, 102)
assert.match(text, /^[0-9A-Z]{13}$/)
assert.equal(await orders.nextIdAsync() % 1000n, 1n)
assert.match(String(await tickets.nextIdAsync()), /^\d{14}$/)
assert.ok(message > 0n && uuid.length === 36)

// --8<-- [start:join]
const ids = process.env.IDS_STORE ?? 'sqlite:/var/lib/shop/ids.db?create=true'
const and = ids.includes('?') ? '&' : '?'
const joined = await open(`segment+${ids}${and}tag=orders`)
// --8<-- [end:join]
assert.equal(joined.kind, 'segment')

// --8<-- [start:limit]
await store.ensureTag('tickets', { max: 2147483647 }) // the column is an INTEGER
// --8<-- [end:limit]

// --8<-- [start:close]
await leased.closeAsync(2000) // waits until the store knows that nobody holds the worker ID
// --8<-- [end:close]
for (const source of [fixed, orders, joined, tickets, chat, store]) source.close()
