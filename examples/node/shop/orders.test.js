import { afterAll, expect, test } from 'vitest'
import { pool } from './database.js'
import { flake } from './ids.js'
import { addOrder, findOrder, ordersBetween } from './orders.js'

afterAll(() => pool.end())

test('lines belong to their order, and the time is in its ID', async () => {
  const id = await addOrder({ customer: 'ann', items: ['tea'] })
  const order = await findOrder(id)
  expect(typeof order.id).toBe('bigint')
  expect(order.lines[0].orderId).toBe(id)
  const made = flake.layout.decode(id).time.getTime()
  expect((await ordersBetween(made - 1000, made + 1000)).map(order => order.id)).toContain(id)
  expect(await ordersBetween(made - 2000, made - 1000)).not.toContainEqual(expect.objectContaining({ id }))
})
