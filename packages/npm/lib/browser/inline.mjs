// The bundle that has the module in it.

import bytes from 'snowmint.wasm'

import { start } from './backend.js'

start(new WebAssembly.Module(bytes))

export * from './index.js'

/** Resolves at once: everything is there. */
export async function init() {}
