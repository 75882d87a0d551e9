import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { lazy } from 'snowmint'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { database, pool } from './database.js'
import { app } from './express.js'
import { flake } from './ids.js'
import { writePublicId } from './public.js'
import { orders } from './schema.js'

let server
let url
beforeAll(async () => {
  server = app.listen(0)
  await once(server, 'listening')
  url = `http://localhost:${server.address().port}`
})
beforeEach(() => database.delete(orders))
afterAll(async () => {
  server.close()
  await pool.end()
})

function ask(method, path, body) {
  const headers = { 'content-type': 'application/json' }
  return fetch(url + path, { method, headers, body: typeof body === 'object' ? JSON.stringify(body) : body })
}

const add = async body => (await ask('POST', '/orders', body)).json()
const list = async query => (await (await ask('GET', `/orders?${query}`)).json()).map(order => order.id)

test('IDs leave and return as strings', async () => {
  const made = await add({ customer: 'ann', items: ['tea', 'rice'] })
  expect(typeof made.id).toBe('string')
  expect(made.lines.map(line => line.orderId)).toEqual([made.id, made.id])
  expect(await (await ask('GET', `/orders/${made.id}`)).json()).toEqual(made)
})

test('other texts and numbers are refused', async () => {
  for (const text of ['tea', '007', '9223372036854775808']) {
    expect((await ask('GET', `/orders/${text}`)).status).toBe(400)
  }
  expect((await ask('POST', '/orders', '{"customer":"ann","replaces":2127529138126704641}')).status).toBe(400)
})

test('pages go on behind an ID, and from a time', async () => {
  const [first, second] = [await add({ customer: 'ann' }), await add({ customer: 'bo' })]
  expect(await list(`after=${first.id}`)).toEqual([second.id])
  const made = flake.layout.decode(first.id).time.getTime()
  const time = distance => new Date(made + distance).toISOString()
  expect(await list(`begin=${time(0)}&end=${time(60_000)}`)).toEqual([first.id, second.id])
  expect(await list(`begin=${time(-60_000)}&end=${time(0)}`)).toEqual([])
  for (const refused of ['begin=today', 'begin=1999-01-01T00:00:00.000Z']) {
    expect((await ask('GET', `/orders?${refused}`)).status).toBe(400)
  }
})

test('a PATCH keeps the other fields, and a DELETE takes the lines along', async () => {
  const { id: replaces } = await add({ customer: 'ann' })
  const made = await add({ customer: 'ann', items: ['tea'], replaces })
  const change = async body => (await ask('PATCH', `/orders/${made.id}`, body)).json()
  expect(await change({ customer: 'bo' })).toEqual({ ...made, customer: 'bo' })
  expect(await change({ replaces: null })).toEqual({ ...made, customer: 'bo', replaces: null })
  expect((await change({})).customer).toBe('bo')
  for (const status of [204, 404]) expect((await ask('DELETE', `/orders/${made.id}`)).status).toBe(status)
})

test('customers see public IDs', async () => {
  const made = await add({ customer: 'ann', items: ['tea'] })
  const line = { id: writePublicId('line', made.lines[0].id), item: 'tea' }
  const shown = { id: writePublicId('order', made.id), customer: 'ann', lines: [line] }
  expect(await (await ask('GET', `/public/orders/${shown.id}`)).json()).toEqual(shown)
  expect(await (await ask('GET', '/public/customers/ann/orders')).json()).toEqual([shown])
  expect(await (await ask('GET', `/public/customers/ann/orders?after=${shown.id}`)).json()).toEqual([])
  expect((await ask('GET', `/public/orders/${made.id}`)).status).toBe(404)
})

test('a repeated request gets the same order', async () => {
  const order = { customer: 'ann', items: ['tea'], key: randomUUID() }
  expect(await add(order)).toEqual(await add(order))
  expect(await list('')).toHaveLength(1)
  expect((await ask('POST', '/orders', { customer: 'ann', key: 'tea' })).status).toBe(400)
})

test('errors have a status', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const missing = lazy('snowflake+sqlite:/nowhere/ids.db')
  vi.spyOn(flake, 'nextIdAsync').mockImplementationOnce(() => missing.nextIdAsync())
  const none = await ask('POST', '/orders', { customer: 'ann' })
  expect([none.status, await none.json()]).toEqual([503, { code: 'store_missing' }])
  expect((await ask('POST', '/orders/7/lines', { item: 'tea' })).status).toBe(409)
})
