// --8<-- [start:json]
import { lazy, replacer, stringify } from 'snowmint'

const flake = lazy('snowflake+memory:shop')
const order = { id: await flake.nextIdAsync(), item: 'tea' }
console.log(stringify(order) === JSON.stringify(order, replacer)) // true
console.log(JSON.stringify({ id: flake.nextIdString() }))
// --8<-- [end:json]
flake.close()
