// The entry whose module is a file beside it.

import { version } from '../../package.json'
import { initSync } from './glue/snowmint.js'
import { Layout } from '../layout.js'
import { missing, start, unsupported } from './backend.mjs'
import * as all from './index.js'

export * from './index.js'
export default /* @__PURE__ */ Object.assign({ init }, all)

// A preset's layout would be undefined before there is one.
Object.setPrototypeOf(Layout, missing)

let loading

/** The module that is given, or that is where `input` says. */
async function moduleOf(input) {
  let given = await input
  if (given instanceof WebAssembly.Module) return given
  if (typeof given === 'string' || given instanceof URL) given = await fetch(given)
  if (given instanceof Response) {
    if (!given.ok) throw new Error(`${given.url} answered ${given.status}`)
    // Whatever type the server says it is of.
    given = await given.arrayBuffer()
  }
  return WebAssembly.compile(given)
}

async function loaded(input) {
  const module = await moduleOf(input ?? new URL('snowmint.wasm', import.meta.url))
  // The glue keeps the first module that it gets, right or wrong.
  const [found] = WebAssembly.Module.customSections(module, 'snowmint')
  const is = found ? `version ${new TextDecoder().decode(found)}` : 'another module'
  if (is !== `version ${version}`) {
    throw unsupported(`init needs snowmint.wasm of version ${version}, and was given ${is}`)
  }
  const exports = initSync({ module })
  Object.setPrototypeOf(Layout, Function.prototype)
  start(exports)
}

/** Resolves once the rest can be used. The first call decides where the module comes from. */
export function init(input) {
  loading ??= loaded(input).catch(error => {
    loading = undefined
    throw error
  })
  return loading
}
