// --8<-- [start:app]
import express from 'express'
import { replacer } from 'snowmint'
import { addOrder, findOrder, listOrders } from './orders.js'
import { publicOrders } from './public.js'
import { readId, readOptionalId } from './requests.js'

export const app = express()
app.set('json replacer', replacer) // a bigint leaves as a string
app.use(express.json())
app.use('/public', publicOrders)
// --8<-- [end:app]

// --8<-- [start:routes]
app.post('/orders', async (request, response) => {
  const { customer, items = [], replaces } = request.body
  const id = await addOrder({ customer, items, replaces: readOptionalId(replaces) })
  response.status(201).json(await findOrder(id))
})

app.get('/orders', async (request, response) => {
  response.json(await listOrders(readId(request.query.after ?? '0')))
})

app.get('/orders/:id', async (request, response) => {
  const order = await findOrder(readId(request.params.id))
  if (order === undefined) return response.sendStatus(404)
  response.json(order)
})
// --8<-- [end:routes]
