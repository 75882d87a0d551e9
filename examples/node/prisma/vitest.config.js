import { randomUUID } from 'node:crypto'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { env: { IDS_STORE: `memory:${randomUUID()}` } },
})
