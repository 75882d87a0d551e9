import { flake } from './ids.js'
// --8<-- [start:schema]
import { type AnyPgColumn, customType, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { format } from 'snowmint'

const snowflake = customType<{ data: bigint, driverData: string | number }>({
  dataType: () => 'bigint',
  toDriver: id => format(id, 'dec'),
  fromDriver(value) {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`${value} is a rounded ID`)
    return BigInt(value)
  },
})

export const orders = pgTable('orders', {
  id: snowflake('id').primaryKey().$defaultFn(() => flake.nextId()),
  customer: text('customer').notNull(),
  replaces: snowflake('replaces').references((): AnyPgColumn => orders.id), // a table that refers to itself
  key: uuid('key').unique(), // of the client's request, which it may repeat
})
// --8<-- [end:schema]

// --8<-- [start:database]
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'

type Transaction = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0]
declare function transaction<Result>(work: (inside: Transaction) => Promise<Result>): Promise<Result>
// --8<-- [end:database]

// --8<-- [start:rows]
export type Order = typeof orders.$inferSelect // { id: bigint, customer: string, replaces: bigint | null }
export type NewOrder = Omit<typeof orders.$inferInsert, 'id'> & { items?: string[] } // addOrder
export type Changes = Partial<Omit<Order, 'id'>> // changeOrder
export interface Page { after?: bigint, begin?: Date, end?: Date, limit?: number } // listOrders, ordersOf
// --8<-- [end:rows]

// --8<-- [start:requests]
declare function refusal(statusCode: number, message: string): Error & { statusCode: number }
declare function found<Row>(row: Row | undefined): Row
declare function answerTo(error: any): { status: number, body: object } // what is thrown has no type
declare function readId(text: any): bigint // parse refuses other types
declare function readOptionalId(value: unknown): bigint | null | undefined
declare function readPage(query: Record<string, any>): { after: bigint, begin?: Date, end?: Date }
// --8<-- [end:requests]

// --8<-- [start:public]
type PublicType = 'order' | 'line'
declare function writePublicId(type: PublicType, id: bigint): string
declare function readPublicId(type: PublicType, text: string): bigint
declare function publicOrder(order: Pick<Order, 'id' | 'customer'> & { lines: { id: bigint, item: string }[] }): object
declare function publicOrders(customer: string, after?: string): Promise<object[]>
// --8<-- [end:public]

// --8<-- [start:fastify]
import Fastify from 'fastify'

interface Id { Params: { id: string } } // in JSON, IDs are strings
interface Add { Body: { customer: string, items?: string[], replaces?: string | null, key?: string } }
interface Change { Body: Partial<Add['Body']> }
interface AddLine extends Id { Body: { item: string } }
interface List { Querystring: { after?: string, begin?: string, end?: string, limit?: string } }

const app = Fastify()
app.post<Add>('/orders', async ({ body }) => ({ ...body, replaces: readOptionalId(body.replaces) }) satisfies NewOrder)
app.get<List>('/orders', async ({ query: { limit = '50', ...query } }) => ({ ...readPage(query), limit }))
app.patch<Id & Change>('/orders/:id', async ({ params, body }) => [readId(params.id), body.customer])
app.post<AddLine>('/orders/:id/lines', async ({ params, body }) => [readId(params.id), body.item])
// --8<-- [end:fastify]
