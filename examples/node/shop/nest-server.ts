import { endBy } from './ending.js'
import { createApp } from './nest.js'

const app = await createApp()
await app.listen(process.env.PORT ?? 3000)
endBy(() => app.close())
