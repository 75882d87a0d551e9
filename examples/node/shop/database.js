import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { parseExactly } from './json.js'
import * as schema from './schema.js'

// Relational queries return nested rows as JSON, and JSON.parse would round their IDs.
pg.types.setTypeParser(pg.types.builtins.JSON, parseExactly)

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
export const database = drizzle(pool, { schema })
