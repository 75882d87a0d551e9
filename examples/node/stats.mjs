// --8<-- [start:stats]
import { events, open } from 'snowmint'

const orders = await open('segment+memory:shop?tag=orders&step=100')
console.log(orders.nextId()) // 1n
const { kind, buckets, lastFailure } = orders.stats()
console.log(kind, buckets[0], lastFailure?.message) // segment { left: 99n, size: 100n } undefined
// --8<-- [end:stats]
orders.close()

// --8<-- [start:events]
events.on('lease_lost', ({ workerId, message }) => console.warn(workerId, message))
events.on('event', ({ name, severity, source, tag, code, time }) => {}) // all of them
// --8<-- [end:events]
