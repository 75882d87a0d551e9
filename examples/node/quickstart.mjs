// Opens a source, mints an ID and reads it.

// --8<-- [start:mint]
import { open } from 'snowmint'

const flake = await open('snowflake+sqlite:/tmp/ids.db?create=true')
const id = flake.nextId() // a bigint
const parts = flake.layout.decode(id)
console.log(`${id} was minted by worker ${parts.workerId} at ${parts.time.toISOString()}`)
// --8<-- [end:mint]
flake.close()
