import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { parseExactly } from './json.js'
import * as schema from './schema.js'

// Relational queries, json_agg and jsonb_agg return rows as JSON, and JSON.parse would round their IDs.
const { builtins, setTypeParser } = pg.types
for (const type of [builtins.JSON, builtins.JSONB]) setTypeParser(type, parseExactly)

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', () => {}) // a lost connection that is idle must not end the process: the pool opens another
export const database = drizzle(pool, { schema })
