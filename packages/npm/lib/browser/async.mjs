// The bundle whose module is a file of its own.

import { Layout } from '../layout.js'
import { missing, start } from './backend.js'
import { provide } from './client.js'
import { once } from './once.js'

export * from './index.js'

// A preset's layout would be undefined before there is one.
Object.setPrototypeOf(Layout, missing)

const load = once(async input => {
  let given = await (input ?? new URL('snowmint.wasm', import.meta.url))
  if (typeof given === 'string' || given instanceof URL) given = await fetch(given)
  if (given instanceof Response) {
    if (!given.ok) throw new Error(`${given.url} answered ${given.status}`)
    given = await given.arrayBuffer()
  }
  const made = await WebAssembly.instantiate(given)
  Object.setPrototypeOf(Layout, Function.prototype)
  // Of a module it is the instance, of bytes both.
  start(made.instance ?? made)
})

/**
 * Resolves once the rest can be used. The first call decides where the module comes from; any may
 * bring the client of snowmint/lease.
 */
export function init(input, lease) {
  if (lease) provide(lease)
  return load(input)
}
