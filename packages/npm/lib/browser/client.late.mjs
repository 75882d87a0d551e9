// The client as a file of its own, loaded when it is first asked for, for pages that never do.

import { core } from 'snowmint:core'

import { failure } from './minting.js'

let given
let loading

/** Takes the client from where `import()` is not allowed. */
export function provide(lease) {
  given = lease
}

/** What lease.js exports, once it is there. A function, so that who does not need it drops it. */
export function client() {
  loading ??= load().catch(cause => {
    loading = undefined
    throw failure(cause)
  })
  return loading
}

async function load() {
  return (given ?? (await import('./snowmint.lease.mjs')).default)(core())
}
