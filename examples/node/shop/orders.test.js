import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { pool } from './database.js'
import { flake } from './ids.js'
import { addOrder, findOrder, listOrders, ordersOf, yesterday } from './orders.js'
import { lines } from './schema.js'

afterAll(() => pool.end())

test('lines belong to their order, and the time is in its ID', async () => {
  const id = await addOrder({ customer: 'ann', items: ['tea'] })
  const order = await findOrder(id)
  expect(typeof order.id).toBe('bigint')
  expect(order.lines[0].orderId).toBe(id)
  const { time } = flake.layout.decode(id)
  expect(await listOrders({ begin: time, limit: 1 })).toEqual([{ id, customer: 'ann', replaces: null, key: null }])
  expect(await listOrders({ end: time })).not.toContainEqual(expect.objectContaining({ id }))
})

test('nested rows keep all digits', async () => {
  const customer = randomUUID()
  const id = await addOrder({ customer, items: ['tea', 'rice'] })
  expect(await ordersOf(customer)).toEqual([await findOrder(id)])
  const { rows } = await pool.query('SELECT jsonb_agg($1::bigint) AS ids', [id])
  expect(rows[0].ids).toEqual([String(id)])
})

test('a customer has pages', async () => {
  const customer = randomUUID()
  const [first, second] = [await addOrder({ customer }), await addOrder({ customer })]
  const pages = [await ordersOf(customer, { limit: 1 }), await ordersOf(customer, { after: first })]
  expect(pages.flat().map(order => order.id)).toEqual([first, second])
})

test('repeated requests add one order', async () => {
  const order = { customer: 'ann', items: ['tea'], key: randomUUID() }
  const ids = await Promise.all([addOrder(order), addOrder(order), addOrder(order)])
  expect(new Set(ids).size).toBe(1)
  expect((await findOrder(ids[0])).lines).toHaveLength(1)
})

test('yesterday begins and ends at midnight of its zone', async () => {
  const { begin, end } = await yesterday('Asia/Kolkata')
  expect([begin, end].map(time => time.toISOString().slice(11))).toEqual(['18:30:00.000Z', '18:30:00.000Z'])
  expect(end - begin).toBe(86_400_000)
  expect(end <= new Date()).toBe(true)
  expect(await listOrders({ begin, end })).toEqual([])
})

test('a rounded ID is an error', () => {
  expect(() => lines.id.mapFromDriverValue(2127529138126704641)).toThrow('rounded')
})

test('the end of an idle connection ends no process', () => {
  expect(() => pool.emit('error', new Error('ended'))).not.toThrow()
})
