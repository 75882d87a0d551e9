// The entry whose module is a file beside it.

import load from './glue/snowmint.js'
import { Layout } from '../layout.js'
import { missing, start } from './backend.mjs'

export { engine } from './engine.js'
export * from './index.js'

// A preset's layout would be undefined before there is one.
Object.setPrototypeOf(Layout, missing)

let loading

async function fetched(input) {
  let given = await input
  if (typeof given === 'string' || given instanceof URL) given = await fetch(given)
  if (!(given instanceof Response)) return given
  if (!given.ok) throw new Error(`${given.url} answered ${given.status}`)
  // Whatever type the server says it is of.
  return given.arrayBuffer()
}

async function loaded(input) {
  await load({ module_or_path: await fetched(input ?? new URL('snowmint.wasm', import.meta.url)) })
  Object.setPrototypeOf(Layout, Function.prototype)
  start()
}

/** Resolves once the rest can be used. The first call decides where the module comes from. */
export function init(input) {
  loading ??= loaded(input).catch(error => {
    loading = undefined
    throw error
  })
  return loading
}
