import { endBy } from './ending.js'
import { app } from './fastify.js'

await app.listen({ host: '0.0.0.0', port: Number(process.env.PORT ?? 3000) })
endBy(() => app.close())
