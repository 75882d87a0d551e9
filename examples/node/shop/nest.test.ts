import { plainToInstance } from 'class-transformer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from './database.js'
import { NewLine, createApp } from './nest.js'

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

async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

test('IDs leave and return as strings', async () => {
  const made = await post('/orders', { customer: 'ann' })
  expect(typeof made.id).toBe('string')
  const line = await post('/lines', { orderId: made.id, item: 'tea' })
  const shown = await (await fetch(`${url}/orders/${made.id}`)).json()
  expect(shown.lines).toEqual([{ id: line.id, orderId: made.id, item: 'tea' }])
})

test('other texts and numbers are refused', async () => {
  for (const text of ['tea', '007', '9223372036854775808']) {
    expect((await fetch(`${url}/orders/${text}`)).status).toBe(400)
  }
  const rounded = 2127529138126704641
  expect((await post('/lines', { orderId: rounded, item: 'tea' })).statusCode).toBe(400)
  expect((await post('/orders', { customer: 'ann', replaces: rounded })).statusCode).toBe(400)
  expect(() => plainToInstance(NewLine, { orderId: rounded }, { enableImplicitConversion: true })).toThrow('not an ID')
})
