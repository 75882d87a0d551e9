import { flake } from './ids.js'
// --8<-- [start:schema]
import { type AnyPgColumn, customType, pgTable, text } from 'drizzle-orm/pg-core'
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
})
// --8<-- [end:schema]

// --8<-- [start:rows]
export type Order = typeof orders.$inferSelect // { id: bigint, customer: string, replaces: bigint | null }
export type NewOrder = typeof orders.$inferInsert & { items?: string[] }
export type Changes = Partial<Omit<Order, 'id'>>
export interface Page { after?: bigint, begin?: Date, end?: Date, limit?: number }
// --8<-- [end:rows]

// --8<-- [start:requests]
export function refusal(statusCode: number, message: string): Error & { statusCode: number } {
  return Object.assign(new Error(message), { statusCode })
}

export function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw refusal(404, 'not found')
  return row
}

declare function readId(text: unknown): bigint // parse(text as string, 'dec') checks the type itself
declare function answerTo(error: any): { status: number, body: object } // a thrown value has no type

const optional = <Value>(read: (text: unknown) => Value) => <Given>(value: Given) => (
  (value === undefined || value === null ? value : read(value)) as Value | (Given & (null | undefined))
)
export const readOptionalId = optional(readId)
// --8<-- [end:requests]

// --8<-- [start:fastify]
import Fastify from 'fastify'

const app = Fastify()
app.setErrorHandler<Error>((error, request, reply) => reply.send(answerTo(error).body))

type NewOrderBody = { customer: string, items?: string[], replaces?: string | null } // in JSON, IDs are strings
app.post<{ Body: NewOrderBody }>('/orders', async request => {
  const order: Omit<NewOrder, 'id'> = { ...request.body, replaces: readOptionalId(request.body.replaces) }
  return order
})
app.get<{ Querystring: { after?: string, limit?: string } }>('/orders', async request => request.query)
app.get<{ Params: { id: string } }>('/orders/:id', async request => ({ id: readId(request.params.id) }))
// --8<-- [end:fastify]
