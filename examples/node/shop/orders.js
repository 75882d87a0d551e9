// --8<-- [start:imports]
import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import { database } from './database.js'
import { flake } from './ids.js'
import { lines, orders } from './schema.js'
// --8<-- [end:imports]

// --8<-- [start:add]
export async function addOrder({ customer, items, replaces }) {
  const id = await flake.nextIdAsync() // known before any statement
  await database.transaction(async transaction => {
    await transaction.insert(orders).values({ id, customer, replaces })
    for (const item of items) {
      await transaction.insert(lines).values({ orderId: id, item }) // lines.id comes from $defaultFn
    }
  })
  return id
}

export async function addLine({ orderId, item }) {
  const [{ id }] = await database.insert(lines).values({ orderId, item }).returning({ id: lines.id })
  return id
}
// --8<-- [end:add]

// --8<-- [start:read]
export async function findOrder(id) {
  const [order] = await database.select().from(orders).where(eq(orders.id, id))
  if (order === undefined) return undefined
  const rows = await database.select().from(lines).where(eq(lines.orderId, id)).orderBy(asc(lines.id))
  return { ...order, lines: rows }
}

/** A page of orders. For the next page, pass the last ID of this one as `after`. */
export function listOrders(after = 0n, limit = 50) {
  return database.select().from(orders).where(gt(orders.id, after)).orderBy(asc(orders.id)).limit(limit)
}
// --8<-- [end:read]

// --8<-- [start:nested]
/** A customer's orders with their lines, in one statement. */
export function ordersOf(customer) {
  return database.query.orders.findMany({ where: eq(orders.customer, customer), with: { lines: true } })
}
// --8<-- [end:nested]

// --8<-- [start:time]
/** The time is in the ID, so the primary key's index finds them. */
export function ordersBetween(begin, end) {
  const [first, after] = [flake.layout.minId(begin), flake.layout.minId(end)]
  return database.select().from(orders).where(and(gte(orders.id, first), lt(orders.id, after)))
}
// --8<-- [end:time]
