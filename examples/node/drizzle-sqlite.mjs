// --8<-- [start:schema]
import { relations } from 'drizzle-orm'
import { customType, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { format, lazy, parse } from 'snowmint'

const flake = lazy('snowflake+memory:shop') // in an application, another store

const snowflake = customType({
  dataType: () => 'text',
  toDriver: id => format(id, 'base32'),
  fromDriver: value => parse(value, 'base32'),
})

export const orders = sqliteTable('orders', {
  id: snowflake('id').primaryKey().$defaultFn(() => flake.nextId()),
  customer: text('customer').notNull(),
})

export const lines = sqliteTable('lines', {
  id: snowflake('id').primaryKey().$defaultFn(() => flake.nextId()),
  orderId: snowflake('order_id').notNull().references(() => orders.id),
  item: text('item').notNull(),
})

export const orderRelations = relations(orders, ({ many }) => ({ lines: many(lines) }))
export const lineRelations = relations(lines, ({ one }) => ({
  order: one(orders, { fields: [lines.orderId], references: [orders.id] }),
}))
// --8<-- [end:schema]

import assert from 'node:assert/strict'
import { desc, eq, gte } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/sql-js'
import { drizzle as drizzleProxy } from 'drizzle-orm/sqlite-proxy'
import initSqlJs from 'sql.js'

await flake.ready()
const SQL = await initSqlJs()
const sqlite = new SQL.Database()
sqlite.run('create table orders (id text primary key, customer text not null)')
sqlite.run('create table lines (id text primary key, order_id text not null references orders, item text not null)')
const database = drizzle(sqlite)

for (const customer of ['ann', 'bo', 'cy']) database.insert(orders).values({ customer }).run()
const rows = database.select().from(orders).orderBy(desc(orders.id)).all()
assert.deepEqual(rows.map(row => row.customer), ['cy', 'bo', 'ann'])
assert.ok(rows.every(row => typeof row.id === 'bigint' && row.id > 2n ** 53n))
assert.deepEqual(database.select().from(orders).where(eq(orders.id, rows[1].id)).all(), [rows[1]])
const minuteAgo = flake.layout.minId(Date.now() - 60_000)
assert.equal(database.select().from(orders).where(gte(orders.id, minuteAgo)).all().length, 3)

for (const item of ['tea', 'rice']) database.insert(lines).values({ orderId: rows[0].id, item }).run()
// The driver for sql.js does not decode relational queries.
const proxy = drizzleProxy(
  async (statement, parameters) => ({ rows: sqlite.exec(statement, parameters)[0].values }),
  { schema: { orders, lines, orderRelations, lineRelations } },
)
const [cy] = await proxy.query.orders.findMany({ where: eq(orders.id, rows[0].id), with: { lines: true } })
assert.deepEqual(cy, { ...rows[0], lines: database.select().from(lines).all() })
assert.ok(cy.lines.every(line => line.orderId === cy.id && line.id > cy.id))
flake.close()
