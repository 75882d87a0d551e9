import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { lazy } from 'snowmint'
import { afterAll, expect, test, vi } from 'vitest'
import { database, pool } from './database.js'
import { answerTo } from './errors.js'
import { flake } from './ids.js'
import { addOrder } from './orders.js'

afterAll(() => pool.end())

const answer = promise => promise.then(() => undefined, answerTo)
const down = { status: 503, body: { code: 'database_down' } }

test('without an ID, the answer is 503', async () => {
  const closed = lazy('snowflake+memory:not-open')
  vi.spyOn(flake, 'nextId').mockImplementationOnce(() => closed.nextId()) // in $defaultFn of lines.id
  const expected = { status: 503, body: { code: 'wait_timeout' } }
  expect(await answer(addOrder({ customer: 'ann', items: ['tea'] }))).toEqual(expected)
})

test('without the database, the answer is 503', async () => {
  expect(await answer(database.execute(sql`SELECT pg_terminate_backend(pg_backend_pid())`))).toEqual(down)
  const elsewhere = drizzle(new pg.Pool({ host: '127.0.0.1', port: 1 }))
  expect(await answer(elsewhere.execute(sql`SELECT 1`))).toEqual(down)
})

test('other errors say no more than their status', async () => {
  expect(await answer(database.execute(sql`SELECT 1 / 0`))).toEqual({ status: 500, body: { code: 'internal' } })
})
