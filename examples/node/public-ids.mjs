// --8<-- [start:keys]
import { existsSync, writeFileSync } from 'node:fs'
import { PublicIdKeys } from 'snowmint'

// Once. `wx` and the mode: an existing file stays, and nobody else may read it.
if (!existsSync('keys.toml')) {
  writeFileSync('keys.toml', PublicIdKeys.generate().toToml(), { flag: 'wx', mode: 0o600 })
}
// --8<-- [end:keys]

// --8<-- [start:use]
const keys = PublicIdKeys.open('keys.toml')
const orderIds = keys.publicIds('order')
const token = orderIds.encode(1541815603606036480n)
console.log(token) // order_1…
console.log(orderIds.decode(token)) // 1541815603606036480n

try {
  keys.publicIds('user').decode(token)
} catch (error) {
  console.log(error.code) // wrong_type
}
// --8<-- [end:use]

// --8<-- [start:many]
const tokens = orderIds.encodeMany([1n, 2n, 3n])
console.log(orderIds.decodeMany(tokens)) // BigUint64Array(3) [ 1n, 2n, 3n ]
// --8<-- [end:many]
