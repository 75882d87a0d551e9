import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { parseExactly } from './json.js'
import * as schema from './schema.js'

// Relational queries, json_agg and jsonb_agg return rows as JSON, and JSON.parse would round their IDs.
const { builtins, setTypeParser } = pg.types
for (const type of [builtins.JSON, builtins.JSONB]) setTypeParser(type, parseExactly)

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5000 })
// A lost connection must not end the process, idle or in a transaction. The pool opens another.
pool.on('error', () => {})
pool.on('connect', client => client.on('error', () => {}))
export const database = drizzle(pool, { schema })

/** Runs a transaction. `database.transaction` of Drizzle 0.45 keeps a connection forever if BEGIN fails. */
export async function transaction(work) {
  const client = await pool.connect()
  try {
    return await drizzle(client, { schema }).transaction(work)
  } finally {
    client.release()
  }
}
