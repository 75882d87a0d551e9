// Numbers from a database of your own.
import assert from 'node:assert'

// --8<-- [start:allocate]
import { Segment } from 'snowmint'

let next = 1n // stands for: UPDATE … SET next = next + count RETURNING next
const orders = await Segment.open({
  tag: 'orders',
  allocate: async (tag, count) => [next, next += BigInt(count)], // the end is not included
})
console.log(await orders.nextIdAsync()) // 1n
// --8<-- [end:allocate]
assert.equal(await orders.nextIdAsync(), 2n)
orders.close()
