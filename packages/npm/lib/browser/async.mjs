// The bundle whose module is a file of its own.

import { Layout } from '../layout.js'
import { ready, refuse, start } from './backend.js'

export * from './index.js'

// A preset's layout would be undefined before there is one.
Object.setPrototypeOf(Layout, new Proxy(Function.prototype, {
  get: (target, name) => (/^[A-Z]/.test(String(name)) ? refuse() : target[name]),
}))
ready(() => Object.setPrototypeOf(Layout, Function.prototype))

let loading

/** Resolves once the rest can be used. The first call decides where the module comes from. */
export function init(input) {
  loading ??= load(input).catch(error => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(input) {
  const given = await (input ?? new URL('snowmint.wasm', import.meta.url))
  start(given instanceof WebAssembly.Module ? given : await WebAssembly.compile(await bytesOf(given)))
}

async function bytesOf(given) {
  const isPlace = typeof given === 'string' || given instanceof URL
  const response = isPlace ? await fetch(given) : given
  if (!(response instanceof Response)) return response
  if (!response.ok) throw new Error(`snowmint: ${response.url} answered ${response.status}`)
  return response.arrayBuffer()
}
