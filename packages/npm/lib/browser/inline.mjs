// The entry that has the module in it.

import { initSync } from './glue/snowmint.js'
import { start } from './backend.mjs'
import module from './glue/snowmint_bg.wasm'

start(initSync({ module }))

export { engine } from './engine.js'
export * from './index.js'

/** Resolves at once: everything is there. */
export async function init() {}
