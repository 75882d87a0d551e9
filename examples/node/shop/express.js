// --8<-- [start:app]
import express from 'express'
import { replacer } from 'snowmint'
import { answerTo, found } from './errors.js'
import { addLine, addOrder, changeOrder, findOrder, listOrders, removeOrder } from './orders.js'
import { readId, readOptionalId, readPage } from './requests.js'

export const app = express()
app.set('json replacer', replacer) // a bigint leaves as a string
app.use(express.json()) // leaves a number as it is, so readId refuses it
// --8<-- [end:app]

// --8<-- [start:routes]
app.post('/orders', async (request, response) => {
  const { customer, items, replaces, key } = request.body
  const id = await addOrder({ customer, items, replaces: readOptionalId(replaces), key })
  response.status(201).json(await findOrder(id))
})

app.get('/orders', async (request, response) => {
  response.json(await listOrders(readPage(request.query)))
})

app.get('/orders/:id', async (request, response) => {
  response.json(found(await findOrder(readId(request.params.id))))
})

app.patch('/orders/:id', async (request, response) => {
  const { customer, replaces } = request.body
  const changes = { customer, replaces: readOptionalId(replaces) }
  response.json(found(await changeOrder(readId(request.params.id), changes)))
})

app.delete('/orders/:id', async (request, response) => {
  response.sendStatus(await removeOrder(readId(request.params.id)) ? 204 : 404)
})

app.post('/orders/:id/lines', async (request, response) => {
  const orderId = readId(request.params.id)
  response.status(201).json(await addLine({ orderId, item: request.body.item }))
})
// --8<-- [end:routes]

// --8<-- [start:public]
import { publicOrder, publicOrders, readPublicId } from './public.js'

app.get('/public/orders/:id', async (request, response) => {
  response.json(publicOrder(found(await findOrder(readPublicId('order', request.params.id)))))
})

app.get('/public/customers/:customer/orders', async (request, response) => {
  response.json(await publicOrders(request.params.customer, request.query.after))
})
// --8<-- [end:public]

// --8<-- [start:errors]
app.use((error, request, response, next) => { // Express takes four parameters for a handler of errors
  const { status, body } = answerTo(error)
  if (status >= 500) console.error(error)
  response.status(status).json(body)
})
// --8<-- [end:errors]
