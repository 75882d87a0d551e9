// The bundle for Node without an addon.

import { readFileSync } from 'node:fs'
import path from 'node:path'

import { start } from './backend.js'

start(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path.join(__dirname, 'snowmint.wasm')))))

export { engine } from './engine.js'
export * from './index.js'

/** Resolves at once: everything is there. */
export async function init() {}
