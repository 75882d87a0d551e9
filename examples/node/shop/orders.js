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
    for (const item of items ?? []) {
      await transaction.insert(lines).values({ orderId: id, item }) // lines.id comes from $defaultFn
    }
  })
  return id
}

export async function addLine({ orderId, item }) {
  const [line] = await database.insert(lines).values({ orderId, item }).returning()
  return line
}
// --8<-- [end:add]

// --8<-- [start:read]
export async function findOrder(id) {
  const [order] = await database.select().from(orders).where(eq(orders.id, id))
  if (order === undefined) return undefined
  const rows = await database.select().from(lines).where(eq(lines.orderId, id)).orderBy(asc(lines.id))
  return { ...order, lines: rows }
}
// --8<-- [end:read]

// --8<-- [start:list]
/**
 * A page of the orders made from `begin` until `end`, if these are given. For the next page, pass the
 * last ID of this one as `after`.
 */
export function listOrders({ after = 0n, begin, end, limit = 50 } = {}) {
  const { layout } = flake
  return database.select().from(orders).where(and(
    gt(orders.id, after),
    begin && gte(orders.id, layout.minId(begin)), // the first ID of that time
    end && lt(orders.id, layout.minId(end)),
  )).orderBy(asc(orders.id)).limit(limit)
}
// --8<-- [end:list]

// --8<-- [start:change]
/** Changes the fields that are not undefined. */
export async function changeOrder(id, { customer, replaces }) {
  const changes = { id, customer, replaces } // Drizzle refuses changes without any field
  await database.update(orders).set(changes).where(eq(orders.id, id))
  return findOrder(id)
}

/** Removes an order and, by `onDelete`, its lines. Returns false if there is none. */
export async function removeOrder(id) {
  const { rowCount } = await database.delete(orders).where(eq(orders.id, id))
  return rowCount === 1
}
// --8<-- [end:change]

// --8<-- [start:nested]
/** A customer's orders with their lines, in one statement. */
export function ordersOf(customer) {
  return database.query.orders.findMany({ where: eq(orders.customer, customer), with: { lines: true } })
}
// --8<-- [end:nested]
