// snowmint beside the libraries that people use it with.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drizzle } from 'drizzle-orm/sql-js'
import { desc, eq, gte } from 'drizzle-orm'
import { customType, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import initSqlJs from 'sql.js'
import { Layout, Snowflake, format, parse, stringify } from 'snowmint'

import { directory } from '../test/reading.mjs'

// A driver that gives integers as numbers would lose digits. In this form texts sort as their IDs.
const snowflakeId = customType({
  dataType: () => 'text',
  toDriver: id => format(id, 'base32'),
  fromDriver: value => parse(value, 'base32'),
})

test('Drizzle: a primary key', async t => {
  const flake = new Snowflake({ workerId: 1, stateDirectory: directory(t) })
  t.after(() => flake.close())
  const orders = sqliteTable('orders', {
    id: snowflakeId('id').primaryKey().$defaultFn(() => flake.nextId()),
    item: text('item').notNull(),
  })
  const SQL = await initSqlJs()
  const sqlite = new SQL.Database()
  sqlite.run('create table orders (id text primary key, item text not null)')
  const db = drizzle(sqlite)

  const before = Date.now() - 60_000
  for (const item of ['tea', 'rice', 'soap']) db.insert(orders).values({ item }).run()
  const rows = db.select().from(orders).orderBy(desc(orders.id)).all()
  assert.deepEqual(rows.map(row => row.item), ['soap', 'rice', 'tea'])
  assert.ok(rows.every(row => typeof row.id === 'bigint' && row.id > 2n ** 53n))
  const [again] = db.select().from(orders).where(eq(orders.id, rows[1].id)).all()
  assert.deepEqual(again, rows[1])
  // The time is in the key: pages by time need no further column.
  assert.equal(db.select().from(orders).where(gte(orders.id, Layout.TWITTER.minId(before))).all().length, 3)
})

test('Fastify: a route that returns IDs as strings', async t => {
  const flake = new Snowflake({ workerId: 2, stateDirectory: directory(t) })
  const app = Fastify()
  t.after(async () => {
    await app.close()
    flake.close()
  })
  app.setReplySerializer(stringify)
  app.post('/orders', async () => ({ id: flake.nextId() }))
  app.get('/ids', async () => ({ ids: flake.nextIds(2) }))
  app.get('/orders/:id', async ({ params }) => ({ time: flake.layout.decode(params.id).time }))

  const answer = await app.inject({ method: 'POST', url: '/orders' })
  // The status is no indentation.
  assert.match(answer.body, /^\{"id":"\d+"\}$/)
  const { id } = answer.json()
  assert.equal(typeof id, 'string')
  assert.equal(flake.layout.decode(parse(id, 'dec')).workerId, 2)
  const { ids } = (await app.inject('/ids')).json()
  assert.deepEqual(ids.map(each => flake.layout.decode(each).workerId), [2, 2])
  const { time } = (await app.inject(`/orders/${id}`)).json()
  assert.equal(new Date(time).getTime(), flake.layout.decode(id).time.getTime())
})
