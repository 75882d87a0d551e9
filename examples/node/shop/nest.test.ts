import { randomUUID } from 'node:crypto'
import { plainToInstance } from 'class-transformer'
import { lazy } from 'snowmint'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pool } from './database.js'
import { NewLine, createApp } from './nest.js'
import { flake } from './ids.js'
import { writePublicId } from './public.js'

let app: Awaited<ReturnType<typeof createApp>>
let url: string
beforeAll(async () => {
  app = await createApp()
  await app.listen(0)
  url = await app.getUrl()
})
afterAll(async () => {
  await app.close()
  await pool.end()
})

function ask(method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  return fetch(url + path, { method, headers, body: JSON.stringify(body) })
}

const post = async (path: string, body: object) => (await ask('POST', path, body)).json()

test('IDs leave and return as strings', async () => {
  const made = await post('/orders', { customer: 'ann' })
  expect(typeof made.id).toBe('string')
  const line = await post('/lines', { orderId: made.id, item: 'tea' })
  const shown = await (await fetch(`${url}/orders/${made.id}`)).json()
  expect(shown.lines).toEqual([line])
})

test('other texts and numbers are refused', async () => {
  for (const text of ['tea', '007', '9223372036854775808']) {
    expect((await fetch(`${url}/orders/${text}`)).status).toBe(400)
  }
  const rounded = 2127529138126704641
  expect(await post('/lines', { orderId: rounded, item: 'tea' })).toEqual({ message: 'not an ID' })
  expect(await post('/orders', { customer: 'ann', replaces: rounded })).toEqual({ message: 'not an ID' })
  expect(() => plainToInstance(NewLine, { orderId: rounded }, { enableImplicitConversion: true })).toThrow('not an ID')
})

test('a PATCH keeps the other fields, and a DELETE takes the lines along', async () => {
  const { id: replaces } = await post('/orders', { customer: 'ann' })
  const made = await post('/orders', { customer: 'ann', items: ['tea'], replaces })
  const change = async (body: object) => (await ask('PATCH', `/orders/${made.id}`, body)).json()
  expect(await change({ customer: 'bo' })).toEqual({ ...made, customer: 'bo' })
  expect(await change({ replaces: null })).toEqual({ ...made, customer: 'bo', replaces: null })
  for (const status of [204, 404]) expect((await ask('DELETE', `/orders/${made.id}`)).status).toBe(status)
})

test('pages go on behind an ID', async () => {
  const [first, second] = [await post('/orders', { customer: 'ann' }), await post('/orders', { customer: 'bo' })]
  const page = await (await ask('GET', `/orders?after=${first.id}`)).json()
  expect(page.map(({ id }: { id: string }) => id)).toEqual([second.id])
})

test('a repeated request gets the same order', async () => {
  const order = { customer: 'ann', items: ['tea'], key: randomUUID() }
  expect(await post('/orders', order)).toEqual(await post('/orders', order))
  expect((await ask('POST', '/orders', { customer: 'ann', key: 'tea' })).status).toBe(400)
})

test('customers see public IDs', async () => {
  const customer = randomUUID()
  const made = await post('/orders', { customer })
  const shown = { id: writePublicId('order', made.id), customer, lines: [] }
  const list = `${url}/public/customers/${customer}/orders`
  expect(await (await fetch(list)).json()).toEqual([shown])
  expect(await (await fetch(`${list}?after=${shown.id}`)).json()).toEqual([])
  expect(await (await ask('GET', `/public/orders/${shown.id}`)).json()).toEqual(shown)
  expect((await ask('GET', `/public/orders/${made.id}`)).status).toBe(404)
})

test('errors have a status', async () => {
  const missing = lazy('snowflake+sqlite:/nowhere/ids.db')
  vi.spyOn(flake, 'nextIdAsync').mockImplementationOnce(() => missing.nextIdAsync())
  const response = await ask('POST', '/orders', { customer: 'ann' })
  expect([response.status, await response.json()]).toEqual([503, { code: 'store_missing' }])
  expect((await ask('POST', '/lines', { orderId: '7', item: 'tea' })).status).toBe(409)
})
