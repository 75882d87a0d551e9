import { app } from './express.js'
import { flake } from './ids.js'

await flake.ready() // a wrong URL, or a store without tables, ends the start here
app.listen(process.env.PORT ?? 3000)
