import { stringify } from 'snowmint'
import { afterAll, expect, test } from 'vitest'
import { database } from './database.js'
import { addOrder, findOrder, listOrders } from './orders.js'

afterAll(() => database.$disconnect())

test('lines belong to their order', async () => {
  const id = await addOrder({ customer: 'ann', items: ['tea', 'rice'] })
  const order = await findOrder(id)
  expect(typeof order.id).toBe('bigint')
  expect(order.lines.map(line => [line.orderId, line.item])).toEqual([[id, 'tea'], [id, 'rice']])
  expect(JSON.parse(stringify(order)).id).toBe(String(id))
  expect((await listOrders(id - 1n)).map(order => order.id)).toEqual([id])
})
