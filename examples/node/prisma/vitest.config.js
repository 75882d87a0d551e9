import { randomUUID } from 'node:crypto'
import { defineConfig } from 'vitest/config'

if (!process.env.TEST_DATABASE_URL) throw new Error('set TEST_DATABASE_URL')

export default defineConfig({
  test: { env: { DATABASE_URL: process.env.TEST_DATABASE_URL, IDS_STORE: `memory:${randomUUID()}` } },
})
