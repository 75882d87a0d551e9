import { randomUUID } from 'node:crypto'
import { PublicIdKeys } from 'snowmint'
import { defineConfig } from 'vitest/config'

const { TEST_DATABASE_URL } = process.env
if (!TEST_DATABASE_URL) throw new Error('set TEST_DATABASE_URL: the tests delete its rows')

export default defineConfig({
  test: {
    fileParallelism: false, // the files share one database
    env: {
      DATABASE_URL: TEST_DATABASE_URL,
      IDS_STORE: `memory:${randomUUID()}`,
      SNOWMINT_PUBLIC_ID_KEYS: PublicIdKeys.generate().toToml(),
      LOG_LEVEL: 'fatal',
    },
  },
})
