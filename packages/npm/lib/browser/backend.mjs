// The engine as WebAssembly, with the addon's functions. The other half is bindings/wasm.
// wasm-bindgen generates the glue between the two when the package is built.

import * as engine from './glue/snowmint.js'
import { here } from './here.js'
import { raised } from './made.mjs'

export {
  codes, kinds, layoutDecode, layoutEncode, layoutFacts, layoutFits, layoutMaxId, layoutMinId,
  layoutTick, layoutWorkerId, machineNextId, policies, presets, textForms,
} from './glue/snowmint.js'
export { raiseBy } from './made.mjs'

export const backend = 'wasm'

/** The functions that wait for the module. */
const waiting = []
/** The module's memory, once it is loaded. */
let memory

/** Runs `work` as soon as the module is loaded. */
export function ready(work) {
  waiting.push(work)
}

/** Takes the exports of the loaded module, and runs the functions that wait for it. */
export function start(exports) {
  memory = exports.memory
  for (const work of waiting) work()
  waiting.length = 0
}

/** Creates the error `unsupported` while there is no table of codes. */
export function unsupported(message, cause) {
  const error = Object.assign(raised(0, message), { code: 'unsupported', number: 705 })
  return cause === undefined ? error : Object.defineProperty(error, 'cause', { value: cause })
}

function refuse() {
  throw unsupported(`snowmint is not loaded yet: await init() first${here.advice()}`)
}

/** An object whose properties all throw that the module is not loaded yet. */
export const missing = new Proxy({}, { get: refuse })

/**
 * Wraps a function that takes no value of the module, and so may be called before the module is
 * loaded.
 */
function loaded(call) {
  return (...given) => {
    if (!memory) refuse()
    return call(...given)
  }
}

/** A length well above every text form, layout and name. The module's memory never shrinks. */
const TEXT_MAX = 16_384

function cut(text) {
  return text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text
}

/** Returns the length in bytes of a text that is far too long, or else `undefined`. */
function lengthOf(text) {
  return text.length > TEXT_MAX ? new TextEncoder().encode(text).length : undefined
}

export const buffer = /* @__PURE__ */ loaded(engine.buffer)
export const buildLayout = /* @__PURE__ */ loaded((fields, ...rest) => engine.buildLayout(cut(fields), ...rest))
export const detectText = /* @__PURE__ */ loaded(text => engine.detectText(cut(text)))
export const formatText = /* @__PURE__ */ loaded((id, form) => engine.formatText(id, cut(form)))
export const guess = /* @__PURE__ */ loaded((id, now, beside) => {
  // The module calls JavaScript here to make rows. If that throws, it never frees what it holds.
  nothing(...ROOM, ...ROOM)
  return engine.guess(id, now, cut(beside))
})
export const layout = /* @__PURE__ */ loaded(text => engine.layout(cut(text)))
export const noneLikely = /* @__PURE__ */ loaded((id, now, beside) => engine.noneLikely(id, now, cut(beside)))
export const limits = /* @__PURE__ */ loaded(engine.limits)
export const parseText = /* @__PURE__ */ loaded((text, form) => (
  engine.parseText(cut(text), form && cut(form), lengthOf(text))
))
export const policyAction = /* @__PURE__ */ loaded(({ maxWaitMs, whenBehind, whenFull }, ...stall) => (
  engine.policyAction({ maxWaitMs, whenBehind: cut(whenBehind), whenFull: cut(whenFull) }, ...stall)
))
export const range = /* @__PURE__ */ loaded(engine.range)
export const timestamp = /* @__PURE__ */ loaded(engine.timestamp)

export function machine(layout, lane, maxAheadMs, { kind, ...start }) {
  return engine.machine(layout, lane, maxAheadMs, { ...start, kind: cut(kind) })
}

/** The arguments of a test call, as many as must fit on the stack. */
const ROOM = /* @__PURE__ */ Array(1024)

function nothing() {}

/** Wraps a function that must not end halfway. It is not called if the stack is nearly full. */
function whole(call) {
  return (...given) => {
    nothing(...ROOM)
    return call(...given)
  }
}

export const bufferFailed = /* @__PURE__ */ whole(engine.bufferFailed)
export const bufferFloor = /* @__PURE__ */ whole(engine.bufferFloor)
export const bufferRemaining = /* @__PURE__ */ whole(engine.bufferRemaining)
export const bufferResize = /* @__PURE__ */ whole(engine.bufferResize)
export const bufferSupply = /* @__PURE__ */ whole(engine.bufferSupply)
export const bufferTake = /* @__PURE__ */ whole(engine.bufferTake)
export const bufferTakeUntilRequest = /* @__PURE__ */ whole(engine.bufferTakeUntilRequest)
export const bufferWants = /* @__PURE__ */ whole(engine.bufferWants)
export const layoutWorkerParts = /* @__PURE__ */ whole(engine.layoutWorkerParts)
export const machineExtend = /* @__PURE__ */ whole(engine.machineExtend)
export const machineJump = /* @__PURE__ */ whole(engine.machineJump)
export const machineOpen = /* @__PURE__ */ whole(engine.machineOpen)

/**
 * Returns an ID at a time from `Date.now()`, which stays a number: a bigint would cost more than
 * the ID.
 */
export function machineIdAt(machine, now) {
  const id = machine.idAt(now)
  // -1 stands for an error, which the other call throws.
  return id === -1n ? engine.machineNextId(machine, BigInt(Math.floor(now))) : BigInt.asUintN(64, id)
}

// JavaScript puts many numbers into arrays, and the module does not. A call into the module that
// calls back never frees what it holds if that throws. On a nearly full stack, everything may throw.

/** Puts as many IDs as one call passes, at most `count`, into an array, and returns their count. */
export function machineFill(machine, ids, count, now) {
  const crossed = engine.machineCross(machine, count, now)
  ids.set(crossing(crossed))
  return crossed
}

export function machineIssue(machine, count, now) {
  const issued = engine.machineIssue(machine, count, now)
  const ids = new BigUint64Array(count)
  for (let at = 0; at < count;) {
    const crossed = issued.cross()
    ids.set(crossing(crossed), at)
    at += crossed
  }
  issued.free()
  return ids
}

function crossing(count) {
  return new BigUint64Array(memory.buffer, engine.crossing(), count)
}

/** The count of IDs that are taken apart at a time. */
const ROWS = 512

export function layoutDecodeMany(layout, ids, unixMs, ...narrow) {
  for (let at = 0; at < ids.length; at += ROWS) {
    const rows = ids.subarray(at, at + ROWS)
    const { length } = rows
    const { buffer } = engine.layoutDecodeMany(layout, rows)
    unixMs.set(new BigInt64Array(buffer, 0, length), at)
    narrow.forEach((column, n) => column.set(new Uint32Array(buffer, (8 + n * 4) * length, length), at))
  }
}
