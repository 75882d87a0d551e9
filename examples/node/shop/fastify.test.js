import { afterAll, beforeEach, expect, test } from 'vitest'
import { database, pool } from './database.js'
import { app } from './fastify.js'
import { lines, orders } from './schema.js'

beforeEach(async () => {
  await database.delete(lines)
  await database.delete(orders)
})
afterAll(async () => {
  await app.close()
  await pool.end()
})

test('IDs leave and return as strings', async () => {
  const response = await app.inject({ method: 'POST', url: '/orders', payload: { customer: 'ann', items: ['tea'] } })
  const made = response.json()
  expect(typeof made.id).toBe('string')
  expect(made.lines[0].orderId).toBe(made.id)
  expect((await app.inject(`/orders/${made.id}`)).json()).toEqual(made)
  expect((await app.inject('/orders?after=0')).json().map(order => order.id)).toEqual([made.id])
  expect((await app.inject('/orders/tea')).statusCode).toBe(400)
})
