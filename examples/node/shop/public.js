import { PublicIdKeys } from 'snowmint'
import { refusal } from './errors.js'
import { ordersOf } from './orders.js'

const keys = PublicIdKeys.open('env:') // of SNOWMINT_PUBLIC_ID_KEYS
const publicIds = { order: keys.publicIds('order'), line: keys.publicIds('line') }

export const writePublicId = (type, id) => publicIds[type].encode(id)

/** The ID, or an error that is answered with 404, like an order that does not exist. */
export function readPublicId(type, text) {
  try {
    return publicIds[type].decode(text)
  } catch {
    throw refusal(404, 'not found')
  }
}

/** An order with its lines, for a customer. It names each field, so no ID of the database leaves. */
export const publicOrder = ({ id, customer, lines }) => ({
  id: writePublicId('order', id),
  customer,
  lines: lines.map(line => ({ id: writePublicId('line', line.id), item: line.item })),
})

/** A page of a customer's orders. For the next page, pass the last public ID of this one as `after`. */
export async function publicOrders(customer, after) {
  const orders = await ordersOf(customer, { after: after === undefined ? 0n : readPublicId('order', after) })
  return orders.map(publicOrder)
}
