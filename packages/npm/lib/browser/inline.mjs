// The bundle that has the module in it.

import bytes from 'snowmint.wasm'

import { start } from './backend.js'

start(new WebAssembly.Instance(new WebAssembly.Module(bytes)))

export { engine } from './engine.js'
export * from './index.js'

/** Resolves at once: everything is there. */
export async function init() {}
