// --8<-- [start:schema]
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
// --8<-- [end:schema]

import assert from 'node:assert/strict'
import { desc, eq, gte } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/sql-js'
import initSqlJs from 'sql.js'

await flake.ready()
const SQL = await initSqlJs()
const sqlite = new SQL.Database()
sqlite.run('create table orders (id text primary key, customer text not null)')
const database = drizzle(sqlite)

for (const customer of ['ann', 'bo', 'cy']) database.insert(orders).values({ customer }).run()
const rows = database.select().from(orders).orderBy(desc(orders.id)).all()
assert.deepEqual(rows.map(row => row.customer), ['cy', 'bo', 'ann'])
assert.ok(rows.every(row => typeof row.id === 'bigint' && row.id > 2n ** 53n))
assert.deepEqual(database.select().from(orders).where(eq(orders.id, rows[1].id)).all(), [rows[1]])
const minuteAgo = flake.layout.minId(Date.now() - 60_000)
assert.equal(database.select().from(orders).where(gte(orders.id, minuteAgo)).all().length, 3)
flake.close()
