// --8<-- [start:imports]
import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import { database, pool, transaction } from './database.js'
import { flake } from './ids.js'
import { lines, orders } from './schema.js'
// --8<-- [end:imports]

// --8<-- [start:add]
/** Returns the order's ID. A request that repeats a `key` adds nothing, and gets the ID of the first. */
export async function addOrder({ customer, items, replaces, key }) {
  const id = await flake.nextIdAsync() // known before any statement
  return transaction(async inside => {
    const added = await inside.insert(orders).values({ id, customer, replaces, key })
      .onConflictDoNothing({ target: orders.key })
    if (added.rowCount === 0) {
      const [first] = await inside.select({ id: orders.id }).from(orders).where(eq(orders.key, key))
      return first.id
    }
    for (const item of items ?? []) {
      await inside.insert(lines).values({ orderId: id, item }) // lines.id comes from $defaultFn
    }
    return id
  })
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

// --8<-- [start:yesterday]
/** The bounds of yesterday in a zone such as Europe/Berlin, for `listOrders`. */
export async function yesterday(zone) {
  const { rows } = await pool.query(`
    SELECT (today - 1)::timestamp AT TIME ZONE $1 AS "begin", today::timestamp AT TIME ZONE $1 AS "end"
    FROM (SELECT (now() AT TIME ZONE $1)::date AS today) AS day`, [zone])
  return rows[0]
}
// --8<-- [end:yesterday]

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
/** A page of a customer's orders with their lines, in one statement. */
export function ordersOf(customer, { after = 0n, limit = 50 } = {}) {
  return database.query.orders.findMany({
    where: and(eq(orders.customer, customer), gt(orders.id, after)),
    with: { lines: { orderBy: asc(lines.id) } },
    orderBy: asc(orders.id),
    limit,
  })
}
// --8<-- [end:nested]
