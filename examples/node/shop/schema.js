// --8<-- [start:column]
import { relations } from 'drizzle-orm'
import { customType, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { format } from 'snowmint'
import { flake } from './ids.js'

/** A BIGINT. A number that lost digits is an error, so it never becomes another ID. */
const snowflake = customType({
  dataType: () => 'bigint',
  toDriver: id => format(id, 'dec'),
  fromDriver(value) {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`${value} is a rounded ID`)
    return BigInt(value)
  },
})
// --8<-- [end:column]

// --8<-- [start:tables]
export const orders = pgTable('orders', {
  id: snowflake('id').primaryKey().$defaultFn(() => flake.nextId()),
  customer: text('customer').notNull(),
  replaces: snowflake('replaces').references(() => orders.id),
  key: uuid('key').unique(), // of the client's request, which it may repeat
}, table => [index('orders_customer').on(table.customer, table.id), index('orders_replaces').on(table.replaces)])

export const lines = pgTable('lines', {
  id: snowflake('id').primaryKey().$defaultFn(() => flake.nextId()),
  orderId: snowflake('order_id').notNull().references(() => orders.id, { onDelete: 'cascade' }),
  item: text('item').notNull(),
}, table => [index('lines_order').on(table.orderId)])

export const orderRelations = relations(orders, ({ many }) => ({ lines: many(lines) }))
export const lineRelations = relations(lines, ({ one }) => ({
  order: one(orders, { fields: [lines.orderId], references: [orders.id] }),
}))
// --8<-- [end:tables]
