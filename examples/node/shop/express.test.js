import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { database, pool } from './database.js'
import { app } from './express.js'
import { orderIds } from './public.js'
import { lines, orders } from './schema.js'

let server
let url
beforeAll(async () => {
  server = app.listen(0)
  await once(server, 'listening')
  url = `http://localhost:${server.address().port}`
})
beforeEach(async () => {
  await database.delete(lines)
  await database.delete(orders)
})
afterAll(async () => {
  server.close()
  await pool.end()
})

function post(body) {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/orders`, { method: 'POST', headers, body })
}

const add = async body => (await post(JSON.stringify(body))).json()

test('IDs leave and return as strings', async () => {
  const made = await add({ customer: 'ann', items: ['tea', 'rice'] })
  expect(typeof made.id).toBe('string')
  expect(made.lines.map(line => line.orderId)).toEqual([made.id, made.id])
  const response = await fetch(`${url}/orders/${made.id}`)
  expect(await response.json()).toEqual(made)
})

test('other texts and numbers are refused', async () => {
  for (const text of ['tea', '007', '9223372036854775808']) {
    expect((await fetch(`${url}/orders/${text}`)).status).toBe(400)
  }
  expect((await post('{"customer":"ann","replaces":2127529138126704641}')).status).toBe(400)
})

test('pages go on behind an ID', async () => {
  const first = await add({ customer: 'ann' })
  const second = await add({ customer: 'bo' })
  const page = await (await fetch(`${url}/orders?after=${first.id}`)).json()
  expect(page.map(order => order.id)).toEqual([second.id])
})

test('customers see public IDs', async () => {
  const made = await add({ customer: 'ann' })
  const shown = orderIds.encode(made.id)
  const response = await fetch(`${url}/public/orders/${shown}`)
  expect(await response.json()).toEqual({ id: shown, customer: 'ann' })
  expect((await fetch(`${url}/public/orders/${made.id}`)).status).toBe(404)
})
