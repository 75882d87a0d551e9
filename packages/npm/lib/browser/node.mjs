// The entry for Node without an addon.

import { readFileSync } from 'node:fs'
import path from 'node:path'

import { initSync } from './glue/snowmint.js'
import { start } from './backend.mjs'

start(initSync({ module: readFileSync(path.join(__dirname, 'snowmint.wasm')) }))

export * from './index.js'

/** Resolves at once: everything is there. */
export async function init() {}
