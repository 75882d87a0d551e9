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
})

test('other texts and numbers are refused', async () => {
  for (const text of ['tea', '007', '9223372036854775808']) {
    expect((await app.inject(`/orders/${text}`)).statusCode).toBe(400)
  }
  const headers = { 'content-type': 'application/json' }
  const payload = '{"customer":"ann","replaces":2127529138126704641}'
  const response = await app.inject({ method: 'POST', url: '/orders', headers, payload })
  expect([response.statusCode, response.json().message]).toEqual([400, 'body/replaces must be string'])
})

test('an ID may be null', async () => {
  const add = async payload => (await app.inject({ method: 'POST', url: '/orders', payload })).json()
  const first = await add({ customer: 'ann' })
  expect(first.replaces).toBe(null)
  expect((await add({ customer: 'ann', replaces: first.id })).replaces).toBe(first.id)
  expect((await app.inject('/orders?limit=1')).json().map(order => order.id)).toEqual([first.id])
})
