// --8<-- [start:app]
import Fastify from 'fastify'
import { answerTo, found } from './errors.js'
import { flake } from './ids.js'
import { addLine, addOrder, changeOrder, findOrder, listOrders, removeOrder } from './orders.js'
import { readId, readOptionalId, readPage } from './requests.js'

// The logger, pino, writes a bigint by JSON.stringify or as a number, which readers of the log round.
Object.defineProperty(BigInt.prototype, 'toJSON', { value() { return String(this) } })

export const app = Fastify({
  logger: { level: process.env.LOG_LEVEL ?? 'info' },
  ajv: { customOptions: { coerceTypes: false } }, // Fastify turns a number, which was rounded, into a string
})
app.addHook('onReady', () => flake.ready()) // a wrong URL, or a store without tables, ends the start here

app.setErrorHandler((error, request, reply) => {
  const { status, body } = answerTo(error)
  if (status >= 500) request.log.error(error)
  return reply.status(status).send(body)
})
// --8<-- [end:app]

// --8<-- [start:schema]
const id = { type: 'string' }
const optionalId = { type: 'string', nullable: true } // type: ['string', 'null'] fails for a bigint
const [item, customer, time] = [{ type: 'string' }, { type: 'string' }, { type: 'string' }]
const key = { type: 'string', format: 'uuid' }
const line = { type: 'object', properties: { id, orderId: id, item } }
const order = {
  type: 'object',
  properties: { id, customer, replaces: optionalId, lines: { type: 'array', items: line } },
}
const newOrder = {
  type: 'object',
  required: ['customer'],
  properties: { customer, items: { type: 'array', items: item }, replaces: optionalId, key },
}
const changes = { type: 'object', properties: { customer, replaces: optionalId } }
const newLine = { type: 'object', required: ['item'], properties: { item } }
const limit = { type: 'string', pattern: '^[1-9][0-9]?$' } // in a query, a number is a string too
const page = { type: 'object', properties: { after: id, begin: time, end: time, limit } }
// --8<-- [end:schema]

// --8<-- [start:routes]
app.post('/orders', { schema: { body: newOrder, response: { 201: order } } }, async (request, reply) => {
  const { customer, items, replaces, key } = request.body
  const id = await addOrder({ customer, items, replaces: readOptionalId(replaces), key })
  return reply.status(201).send(await findOrder(id))
})

const listed = { querystring: page, response: { 200: { type: 'array', items: order } } }
app.get('/orders', { schema: listed }, ({ query: { limit = '50', ...query } }) => (
  listOrders({ ...readPage(query), limit: Number(limit) })
))

app.get('/orders/:id', { schema: { response: { 200: order } } }, async request => (
  found(await findOrder(readId(request.params.id)))
))

app.patch('/orders/:id', { schema: { body: changes, response: { 200: order } } }, async request => {
  const { customer, replaces } = request.body
  return found(await changeOrder(readId(request.params.id), { customer, replaces: readOptionalId(replaces) }))
})

app.delete('/orders/:id', async (request, reply) => {
  const removed = await removeOrder(readId(request.params.id))
  return reply.status(removed ? 204 : 404).send()
})

app.post('/orders/:id/lines', { schema: { body: newLine, response: { 201: line } } }, async (request, reply) => {
  const added = await addLine({ orderId: readId(request.params.id), item: request.body.item })
  return reply.status(201).send(added)
})
// --8<-- [end:routes]

// --8<-- [start:public]
import { publicOrder, publicOrders, readPublicId } from './public.js'

const shownLine = { type: 'object', properties: { id, item } }
const shown = { type: 'object', properties: { id, customer, lines: { type: 'array', items: shownLine } } }
app.get('/public/orders/:id', { schema: { response: { 200: shown } } }, async request => (
  publicOrder(found(await findOrder(readPublicId('order', request.params.id))))
))

const shownPage = {
  querystring: { type: 'object', properties: { after: id } },
  response: { 200: { type: 'array', items: shown } },
}
app.get('/public/customers/:customer/orders', { schema: shownPage }, ({ params, query }) => (
  publicOrders(params.customer, query.after)
))
// --8<-- [end:public]
