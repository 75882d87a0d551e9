// The entry that contains the module.

import { initSync } from './glue/snowmint.js'
import { start } from './backend.mjs'
import module from './glue/snowmint_bg.wasm'
import * as all from './index.js'

start(initSync({ module }))

export * from './index.js'
export default /* @__PURE__ */ Object.assign({ init }, all)

/** Resolves at once, because everything is loaded. */
export async function init() {}
