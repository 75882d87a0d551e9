import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { pool } from './database.js'
import { flake } from './ids.js'
import { addOrder, findOrder, ordersBetween, ordersOf } from './orders.js'
import { lines } from './schema.js'

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

test('nested rows keep all digits', async () => {
  const customer = randomUUID()
  const id = await addOrder({ customer, items: ['tea', 'rice'] })
  expect(await ordersOf(customer)).toEqual([await findOrder(id)])
  const { rows } = await pool.query('SELECT jsonb_agg($1::bigint) AS ids', [id])
  expect(rows[0].ids).toEqual([String(id)])
})

test('a rounded ID is an error', () => {
  expect(() => lines.id.mapFromDriverValue(2127529138126704641)).toThrow('rounded')
})
