// --8<-- [start:schema]
import Fastify from 'fastify'
import { flake } from './ids.js'
import { addOrder, findOrder, listOrders } from './orders.js'
import { readId, readOptionalId } from './requests.js'

const id = { type: 'string' }
const optionalId = { type: 'string', nullable: true } // type: ['string', 'null'] fails for a bigint
const line = { type: 'object', properties: { id, orderId: id, item: { type: 'string' } } }
const order = {
  type: 'object',
  properties: { id, customer: { type: 'string' }, replaces: optionalId, lines: { type: 'array', items: line } },
}
const newOrder = {
  type: 'object',
  required: ['customer'],
  properties: {
    customer: { type: 'string' },
    items: { type: 'array', items: { type: 'string' } },
    replaces: optionalId,
  },
}
// --8<-- [end:schema]

// --8<-- [start:routes]
// Otherwise Fastify turns a number, which was rounded already, into a string.
export const app = Fastify({ ajv: { customOptions: { coerceTypes: false } } })
app.addHook('onReady', () => flake.ready())

app.post('/orders', { schema: { body: newOrder, response: { 201: order } } }, async (request, reply) => {
  const { customer, items = [], replaces } = request.body
  const id = await addOrder({ customer, items, replaces: readOptionalId(replaces) })
  return reply.status(201).send(await findOrder(id))
})

const limit = { type: 'string', pattern: '^[1-9][0-9]?$' } // in a query, a number is a string too
const page = {
  querystring: { type: 'object', properties: { after: id, limit } },
  response: { 200: { type: 'array', items: order } },
}
app.get('/orders', { schema: page }, ({ query: { after = '0', limit = '50' } }) => listOrders(readId(after), Number(limit)))

const one = { params: { type: 'object', properties: { id } }, response: { 200: order } }
app.get('/orders/:id', { schema: one }, async (request, reply) => {
  const found = await findOrder(readId(request.params.id))
  return found ?? reply.status(404).send()
})
// --8<-- [end:routes]
