// --8<-- [start:orders]
import { database } from './database.js'
import { flake } from './ids.js'

export async function addOrder({ customer, items }) {
  const id = await flake.nextIdAsync() // known before any statement
  await database.$transaction([
    database.order.create({ data: { id, customer } }),
    database.line.createMany({ data: items.map(item => ({ orderId: id, item })) }),
  ])
  return id
}

export function findOrder(id) {
  return database.order.findUnique({ where: { id }, include: { lines: { orderBy: { id: 'asc' } } } })
}

/** A page of orders. For the next page, pass the last ID of this one as `after`. */
export function listOrders(after = 0n) {
  return database.order.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: 50 })
}
// --8<-- [end:orders]
