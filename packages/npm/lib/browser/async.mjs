// The entry whose module is a file beside it.

import { version } from '../../package.json'
import { initSync } from './glue/snowmint.js'
import { here } from './here.js'
import { Layout } from '../layout.js'
import { missing, start, unsupported } from './backend.mjs'
import * as all from './index.js'

export * from './index.js'
export default /* @__PURE__ */ Object.assign({ init }, all)

// By a bundler that does not know what for, such as Rollup's node-resolve unless it is told.
if (globalThis.process?.versions?.node) {
  here.advice = () => '; where this is bundled for Node, leave snowmint external'
}

// A preset's layout would be undefined before there is one.
Object.setPrototypeOf(Layout, missing)

let loading

/** What is wrong where the module should be. */
function misplaced(url, what, cause) {
  return unsupported(`init needs snowmint.wasm, and ${url} ${what}: put it there, or give init its URL${here.advice()}`, cause)
}

async function fetched(url) {
  try {
    return await fetch(url)
  } catch (cause) {
    throw misplaced(url, `is not to be had (${cause.message})`, cause)
  }
}

/** The bytes of an answer, whatever type the server says they are of. */
async function bytesOf(answer) {
  const { ok, status, url } = answer
  if (!ok) throw misplaced(url, `answered ${status}`)
  const bytes = await answer.arrayBuffer()
  // As where every path of a site is its one page.
  const isModule = String(new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength))) === '0,97,115,109'
  if (!isModule) throw misplaced(url, `is no WebAssembly (${answer.headers.get('content-type')})`)
  return bytes
}

/** The module that is given, or that is where `input` says. */
async function moduleOf(input) {
  let given = await input
  if (given instanceof WebAssembly.Module) return given
  if (typeof given === 'string' || given instanceof URL) given = await fetched(given)
  if (given instanceof Response) given = await bytesOf(given)
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
