// The entry that loads its module from a file beside it.

import { version } from '../../package.json'
import { shown, typed } from '../arguments.js'
import { initSync } from './glue/snowmint.js'
import { here } from './here.js'
import { Layout } from '../layout.js'
import { missing, start, unsupported } from './backend.mjs'
import * as all from './index.js'

export * from './index.js'
export default /* @__PURE__ */ Object.assign({ init }, all)

// A bundler may use this entry for Node, for example Rollup's node-resolve without its Node option.
if (globalThis.process?.versions?.node) {
  here.advice = () => '; where this is bundled for Node, leave snowmint external'
}

// Without an engine, a preset's layout would be undefined.
Object.setPrototypeOf(Layout, missing)

let loading

function placeOf(url) {
  return url || 'what it was given'
}

/** Returns the error for a wrong or missing module at a URL, or in the given bytes. */
function misplaced(url, what, cause) {
  const instead = url ? 'put it there, or give init its URL' : 'give it the URL, or the bytes'
  return unsupported(`init needs snowmint.wasm, and ${placeOf(url)} ${what}: ${instead}${here.advice()}`, cause)
}

/** Returns a handler for errors of reading a URL. */
function unread(url) {
  return cause => {
    throw misplaced(url, `is not to be had (${cause.message})`, cause)
  }
}

/** Returns the bytes of a response, whatever its content type. */
function bytesOf(answer) {
  const { ok, status, url } = answer
  if (!ok) throw misplaced(url, `answered ${status}`)
  return answer.arrayBuffer().catch(unread(url))
}

/** Compiles a buffer or a view, which may have come from a URL. */
async function compiled(given, url) {
  const bytes = new Uint8Array(given.buffer ?? given, given.byteOffset, given.byteLength)
  const start = new TextDecoder().decode(bytes.slice(0, 16))
  // Some sites answer every path with their one page.
  if (!start.startsWith('\0asm')) throw misplaced(url, `is no WebAssembly, but begins with ${shown(start)}`)
  return WebAssembly.compile(bytes).catch(cause => {
    throw unsupported("init needs all of snowmint.wasm, and 'wasm-unsafe-eval' where a page has a policy: " +
      `${placeOf(url)} does not compile (${cause.message})`, cause)
  })
}

/** Returns the given module, or the module at the place that `input` names. */
async function moduleOf(input) {
  let given = await input
  if (given instanceof WebAssembly.Module) return given
  if (typeof given === 'string' || given instanceof URL) given = await fetch(given).catch(unread(given))
  if (given instanceof Response) return compiled(await bytesOf(given), given.url)
  typed(given?.byteLength >= 0, 'the module', 'a URL, a Response, bytes or a WebAssembly.Module', given)
  return compiled(given)
}

async function loaded(input) {
  const module = await moduleOf(input ?? new URL('snowmint.wasm', import.meta.url))
  // The glue keeps the first module that it gets, even a wrong one, so the version is checked here.
  const [found] = WebAssembly.Module.customSections(module, 'snowmint')
  const is = found ? `version ${new TextDecoder().decode(found)}` : 'another module'
  if (is !== `version ${version}`) {
    throw unsupported(`init needs snowmint.wasm of version ${version}, and was given ${is}`)
  }
  const exports = initSync({ module })
  Object.setPrototypeOf(Layout, Function.prototype)
  start(exports)
}

/** Resolves once the engine is loaded. The first call decides where the module comes from. */
export function init(input) {
  loading ??= loaded(input).catch(error => {
    loading = undefined
    throw error
  })
  return loading
}
