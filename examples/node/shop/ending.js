import { pool } from './database.js'
import { flake } from './ids.js'

/** At SIGTERM, stops the server, which first answers what it has received. Then closes source and pool. */
export function endBy(stop) {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, async () => {
      await stop()
      await flake.closeAsync(2000).catch(error => console.error(error)) // closed, even if the store is down
      await pool.end()
    })
  }
}
