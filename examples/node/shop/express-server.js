import { promisify } from 'node:util'
import { endBy } from './ending.js'
import { app } from './express.js'
import { flake } from './ids.js'

await flake.ready() // a wrong URL, or a store without tables, ends the start here
const server = app.listen(process.env.PORT ?? 3000)
endBy(promisify(server.close).bind(server))
