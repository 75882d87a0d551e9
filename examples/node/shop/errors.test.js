import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { lazy } from 'snowmint'
import { afterAll, expect, test, vi } from 'vitest'
import { database, pool, transaction } from './database.js'
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
  const end = sql`SELECT pg_terminate_backend(pg_backend_pid())`
  expect(await answer(database.execute(end))).toEqual(down)
  expect(await answer(transaction(inside => inside.execute(end)))).toEqual(down)
  const elsewhere = drizzle(new pg.Pool({ host: '127.0.0.1', port: 1 }))
  expect(await answer(elsewhere.execute(sql`SELECT 1`))).toEqual(down)
})

test('while all connections are taken, the answer is 503', async () => {
  const small = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 1, connectionTimeoutMillis: 50 })
  const taken = await small.connect()
  expect(await answer(small.query('SELECT 1'))).toEqual(down)
  taken.release()
  await small.end()
})

test('the pool outlives connections that end before BEGIN', async () => {
  for (let count = 0; count <= pool.options.max; count++) {
    pool.once('acquire', client => client.connection.stream.destroy())
    expect(await answer(transaction(inside => inside.execute(sql`SELECT 1`)))).toEqual(down)
  }
  expect(await pool.query('SELECT 1')).toMatchObject({ rowCount: 1 })
})

test('other errors say no more than their status', async () => {
  expect(await answer(database.execute(sql`SELECT 1 / 0`))).toEqual({ status: 500, body: { code: 'internal' } })
})
