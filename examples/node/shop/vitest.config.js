import { randomUUID } from 'node:crypto'
import { PublicIdKeys } from 'snowmint'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    fileParallelism: false, // the files share one database
    env: {
      IDS_STORE: `memory:${randomUUID()}`,
      SNOWMINT_PUBLIC_ID_KEYS: PublicIdKeys.generate().toToml(),
    },
  },
})
