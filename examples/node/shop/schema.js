import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { flake } from './ids.js'

const snowflake = name => bigint(name, { mode: 'bigint' })

export const orders = pgTable('orders', {
  id: snowflake('id').primaryKey().$defaultFn(() => flake.nextId()),
  customer: text('customer').notNull(),
})

export const lines = pgTable('lines', {
  id: snowflake('id').primaryKey().$defaultFn(() => flake.nextId()),
  orderId: snowflake('order_id').notNull().references(() => orders.id),
  item: text('item').notNull(),
}, table => [index('lines_order').on(table.orderId)])
