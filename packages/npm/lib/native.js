'use strict'
// Finds and loads the addon of this platform.

const { existsSync } = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const { platform } = require('./platform.js')
const { recalled } = require('./thrown.js')
const { version } = require('../package.json')

/**
 * Requires the platforms' packages. Tools that trace files, such as @vercel/nft, find a package by
 * its literal name in a call of this function. Bundlers leave such a call as it is. They follow a
 * literal `require`, and fail at an addon, which they cannot put into a bundle.
 */
const installed = createRequire(__filename)

const PACKAGES = {
  'darwin-arm64': () => installed('@snowmint/node-darwin-arm64'),
  'darwin-x64': () => installed('@snowmint/node-darwin-x64'),
  'linux-arm64-gnu': () => installed('@snowmint/node-linux-arm64-gnu'),
  'linux-arm64-musl': () => installed('@snowmint/node-linux-arm64-musl'),
  'linux-x64-gnu': () => installed('@snowmint/node-linux-x64-gnu'),
  'linux-x64-musl': () => installed('@snowmint/node-linux-x64-musl'),
  'win32-arm64-msvc': () => installed('@snowmint/node-win32-arm64-msvc'),
  'win32-x64-msvc': () => installed('@snowmint/node-win32-x64-msvc'),
}

/**
 * Returns the places to look for the addon, best first, each with the function that requires it:
 * the requested path, or the platform's package and a local build.
 */
function places() {
  const name = platform()
  const asked = process.env.SNOWMINT_ADDON
  if (asked) return [required(path.resolve(asked))]
  return [packaged(name), required(path.join(__dirname, `snowmint.${name}.node`))]
}

function packaged(name) {
  const place = `@snowmint/node-${name}`
  // A bundle of webpack never loads the addon. Otherwise it would work in the project, and fail in
  // an image without `node_modules`.
  const isWebpack = typeof __webpack_require__ === 'function'
  return isWebpack || !PACKAGES[name] ? required(place) : [place, PACKAGES[name]]
}

function required(place) {
  return [place, () => require(place)]
}

function load() {
  const failures = []
  for (const [place, take] of places()) {
    try {
      const addon = take()
      const found = addon.version()
      if (found === version) return addon
      failures.push([place, new Error(`it is version ${found}, and the package ${version}`)])
    } catch (error) {
      failures.push([place, error])
    }
  }
  throw unloadable(failures)
}

function unloadable(failures) {
  const lines = failures.map(([place, error]) => `  ${place}: ${reason(place, error)}`)
  const message =
    `snowmint has no native addon for ${platform()} (Node ${process.version}). Tried:\n` +
    `${lines.join('\n')}\n` +
    advice()
  const error = new Error(message, { cause: failures[0][1] })
  error.code = 'ERR_SNOWMINT_ADDON'
  return error
}

function advice() {
  const asked = process.env.SNOWMINT_ADDON
  if (!asked) return 'Install without --omit=optional, and on the platform that the program runs on.'
  return `SNOWMINT_ADDON=${asked} names that file: name the addon's, of this version, or unset it.`
}

function reason(place, error) {
  if (path.isAbsolute(place) && !existsSync(place)) return 'no such file'
  return error.message.split('\n')[0]
}

const addon = load()

/** Makes an error of this copy's class, because other copies of the package may share the addon. */
let make

/**
 * Sets the function that makes an error from a code's number. The addon passes the cause as text.
 */
function raiseBy(makeError) {
  make = makeError
}

/** Returns the error that the addon threw as an error of this copy's class. */
function ours(error) {
  const facts = error?.snowmint
  if (facts === undefined) return error
  const { number, message, waitMs, cause } = facts
  const options = {}
  if (waitMs != null) options.waitMs = waitMs
  if (cause != null) options.cause = recalled(cause)
  return make(number, message, options)
}

/** Captures the callers' stack, because a thread that throws has none of them. */
function callers() {
  const trace = {}
  Error.captureStackTrace(trace, callers)
  return trace
}

/** Makes a promise reject with errors of this copy, with the stack of the waiting code. */
function rejecting(promise) {
  const trace = callers()
  return promise.then(undefined, thrown => {
    const error = ours(thrown)
    if (error !== thrown) error.stack = `${error}${trace.stack.slice(trace.stack.indexOf('\n'))}`
    throw error
  })
}

/** Wraps a function of the addon so that it throws, or rejects with, errors of this copy. */
function raising(call) {
  return (...list) => {
    try {
      const result = call(...list)
      return typeof result?.then === 'function' ? rejecting(result) : result
    } catch (error) {
      throw ours(error)
    }
  }
}

const functions = Object.fromEntries(Object.entries(addon).map(([name, call]) => [name, raising(call)]))

/** Returns IDs in an array of this realm. The addon's realm may differ, for example in Jest. */
function ofHere(ids) {
  return ids instanceof BigUint64Array ? ids : new BigUint64Array(ids.buffer, ids.byteOffset, ids.length)
}

/** Runs `work` at once. With the WebAssembly it may have to wait until that is loaded. */
function ready(work) {
  work()
}

/** Returns a policy without absent fields. */
function policyOf({ maxWaitMs, whenFull, ...row }) {
  return maxWaitMs == null ? { ...row, whenFull } : { ...row, maxWaitMs, whenFull }
}

// These results have shapes that the addon's rows cannot have.
module.exports = {
  ...functions,
  raiseBy,
  ready,
  policies: () => functions.policies().map(policyOf),
  presets: () => functions.presets().map(({ policy: { name: _, ...policy }, ...row }) => (
    { ...row, policy: policyOf(policy) }
  )),
  textForms: () => functions.textForms().map(({ name, alphabet, width, sortable }) => (
    { name, alphabet, width: width ?? null, sortable }
  )),
  limits() {
    const { maxNumber, maxStep, ...rest } = functions.limits()
    return { maxNumber: BigInt(maxNumber), maxStep: BigInt(maxStep), ...rest }
  },
  layoutEncode: (layout, unixMs, workerId = 0, sequence = 0, rollback = 0) => (
    functions.layoutEncode(layout, unixMs, workerId, sequence, rollback)
  ),
  layoutWorkerId: (layout, parts) => (
    functions.layoutWorkerId(layout, Object.entries(parts).map(([kind, value]) => ({ kind, value })))
  ),
  policyAction(...facts) {
    const { kind, waitMs } = functions.policyAction(...facts)
    return waitMs == null ? { kind } : { kind, waitMs }
  },
  detectText: text => functions.detectText(text) ?? null,
  bufferWants: (buffer, now) => functions.bufferWants(buffer, now) ?? null,
  decodePublics: (...given) => ofHere(functions.decodePublics(...given)),
  machineIssue: (...given) => ofHere(functions.machineIssue(...given)),
  nextIdsNow: (...given) => ofHere(functions.nextIdsNow(...given)),
  nextIdsLater: async (...given) => ofHere(await functions.nextIdsLater(...given)),
  kinds: () => ['time', 'datacenter', 'worker', 'process', 'shard', 'sequence', 'rollback'],
}
