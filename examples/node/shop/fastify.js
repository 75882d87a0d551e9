// --8<-- [start:schema]
import Fastify from 'fastify'
import { flake } from './ids.js'
import { addOrder, findOrder, listOrders } from './orders.js'
import { readId } from './requests.js'

const id = { type: 'string', pattern: '^[0-9]{1,20}$' }
const line = { type: 'object', properties: { id, orderId: id, item: { type: 'string' } } }
const order = {
  type: 'object',
  properties: { id, customer: { type: 'string' }, lines: { type: 'array', items: line } },
}
const newOrder = {
  type: 'object',
  required: ['customer'],
  properties: { customer: { type: 'string' }, items: { type: 'array', items: { type: 'string' } } },
}
// --8<-- [end:schema]

// --8<-- [start:routes]
export const app = Fastify()
app.addHook('onReady', () => flake.ready())

app.post('/orders', { schema: { body: newOrder, response: { 201: order } } }, async (request, reply) => {
  const { customer, items = [] } = request.body
  const id = await addOrder({ customer, items })
  return reply.status(201).send(await findOrder(id))
})

const page = { querystring: { type: 'object', properties: { after: id } }, response: { 200: { type: 'array', items: order } } }
app.get('/orders', { schema: page }, ({ query }) => listOrders(readId(query.after ?? '0')))

const one = { params: { type: 'object', properties: { id } }, response: { 200: order } }
app.get('/orders/:id', { schema: one }, async (request, reply) => {
  const found = await findOrder(readId(request.params.id))
  return found ?? reply.status(404).send()
})
// --8<-- [end:routes]
