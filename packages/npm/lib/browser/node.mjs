// The entry for Node without an addon.

import { readFileSync } from 'node:fs'
import path from 'node:path'

import { initSync } from './glue/snowmint.js'
import { start } from './backend.mjs'
import { here } from './here.js'
import { platform } from '../platform.js'

start(initSync({ module: readFileSync(path.join(__dirname, 'snowmint.wasm')) }))

here.advice = () => {
  const chosen = process.env.SNOWMINT_BACKEND === 'wasm' ? 'unset SNOWMINT_BACKEND, and ' : ''
  return `; or ${chosen}install @snowmint/node-${platform()}`
}

export * from './index.js'

/** Resolves at once: everything is there. */
export async function init() {}
