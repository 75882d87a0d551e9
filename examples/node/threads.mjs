// --8<-- [start:threads]
import { isMainThread, Worker } from 'node:worker_threads'
import { open } from 'snowmint'

const flake = await open('snowflake+sqlite:/var/lib/shop/ids.db?create=true')
if (isMainThread) new Worker(new URL(import.meta.url))
console.log(flake.layout.decode(flake.nextId()).workerId)
// --8<-- [end:threads]
