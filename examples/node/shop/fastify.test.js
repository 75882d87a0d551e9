import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { lazy } from 'snowmint'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { database, pool } from './database.js'
import { app } from './fastify.js'
import { flake } from './ids.js'
import { writePublicId } from './public.js'
import { orders } from './schema.js'

beforeEach(() => database.delete(orders))
afterAll(async () => {
  await app.close()
  await pool.end()
})

const ask = (method, url, payload) => app.inject({ method, url, payload })
const add = async payload => (await ask('POST', '/orders', payload)).json()
const list = async query => (await ask('GET', `/orders?${query}`)).json().map(order => order.id)

test('IDs leave and return as strings', async () => {
  const made = await add({ customer: 'ann', items: ['tea'] })
  expect(typeof made.id).toBe('string')
  expect(made.lines[0].orderId).toBe(made.id)
  expect((await ask('GET', `/orders/${made.id}`)).json()).toEqual(made)
})

test('other texts and numbers are refused', async () => {
  for (const text of ['tea', '007', '9223372036854775808']) {
    expect((await ask('GET', `/orders/${text}`)).statusCode).toBe(400)
  }
  const headers = { 'content-type': 'application/json' }
  const payload = '{"customer":"ann","replaces":2127529138126704641}'
  const response = await app.inject({ method: 'POST', url: '/orders', headers, payload })
  expect([response.statusCode, response.json().message]).toEqual([400, 'body/replaces must be string'])
})

test('pages go on behind an ID, and from a time', async () => {
  const [first, second] = [await add({ customer: 'ann' }), await add({ customer: 'bo' })]
  expect(await list('limit=1')).toEqual([first.id])
  expect(await list(`after=${first.id}`)).toEqual([second.id])
  const made = flake.layout.decode(first.id).time
  expect(await list(`begin=${made.toISOString()}`)).toEqual([first.id, second.id])
  expect(await list(`end=${made.toISOString()}`)).toEqual([])
  expect((await ask('GET', '/orders?begin=today')).statusCode).toBe(400)
})

test('a PATCH keeps the other fields, and a DELETE takes the lines along', async () => {
  const { id: replaces } = await add({ customer: 'ann' })
  const made = await add({ customer: 'ann', items: ['tea'], replaces })
  const change = async payload => (await ask('PATCH', `/orders/${made.id}`, payload)).json()
  expect(await change({ customer: 'bo' })).toEqual({ ...made, customer: 'bo' })
  expect(await change({ replaces: null })).toEqual({ ...made, customer: 'bo', replaces: null })
  for (const status of [204, 404]) expect((await ask('DELETE', `/orders/${made.id}`)).statusCode).toBe(status)
})

test('customers see public IDs', async () => {
  const made = await add({ customer: 'ann', items: ['tea'] })
  const line = { id: writePublicId('line', made.lines[0].id), item: 'tea' }
  const shown = { id: writePublicId('order', made.id), customer: 'ann', lines: [line] }
  expect((await ask('GET', `/public/orders/${shown.id}`)).json()).toEqual(shown)
  expect((await ask('GET', '/public/customers/ann/orders')).json()).toEqual([shown])
  expect((await ask('GET', `/public/customers/ann/orders?after=${shown.id}`)).json()).toEqual([])
  expect((await ask('GET', `/public/orders/${made.id}`)).statusCode).toBe(404)
})

test('a repeated request gets the same order', async () => {
  const order = { customer: 'ann', items: ['tea'], key: randomUUID() }
  expect(await add(order)).toEqual(await add(order))
  expect(await list('')).toHaveLength(1)
  expect((await ask('POST', '/orders', { customer: 'ann', key: 'tea' })).statusCode).toBe(400)
})

test('errors have a status', async () => {
  const missing = lazy('snowflake+sqlite:/nowhere/ids.db')
  vi.spyOn(flake, 'nextIdAsync').mockImplementationOnce(() => missing.nextIdAsync())
  const response = await ask('POST', '/orders', { customer: 'ann' })
  expect([response.statusCode, response.json()]).toEqual([503, { code: 'store_missing' }])
  expect((await ask('POST', '/orders/7/lines', { item: 'tea' })).statusCode).toBe(409)
})

test('the log has strings', () => {
  const written = []
  const { log } = Fastify({ logger: { stream: { write: line => written.push(JSON.parse(line)) } } })
  log.info({ id: 2127529138126704641n, order: { id: 2127529138126704641n } })
  expect(written[0]).toMatchObject({ id: '2127529138126704641', order: { id: '2127529138126704641' } })
})
