import express from 'express'
import { PublicIdKeys } from 'snowmint'
import { findOrder } from './orders.js'

// From the environment variable SNOWMINT_PUBLIC_ID_KEYS.
export const orderIds = PublicIdKeys.open('env:').publicIds('order')
export const publicOrders = express.Router()

publicOrders.get('/orders/:id', async (request, response) => {
  const id = read(request.params.id)
  const order = id === undefined ? undefined : await findOrder(id)
  if (order === undefined) return response.sendStatus(404)
  response.json({ id: orderIds.encode(order.id), customer: order.customer })
})

/** A text that is no public ID is answered like an order that does not exist. */
function read(text) {
  try {
    return orderIds.decode(text)
  } catch {
    return undefined
  }
}
