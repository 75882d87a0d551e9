import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
export const database = drizzle(pool)
