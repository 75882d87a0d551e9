// The engine as WebAssembly, in the shape of the addon. The other half is bindings/wasm, and between
// the two is the glue that wasm-bindgen's generator writes when the package is built.

import * as engine from './glue/snowmint.js'
import { raised } from './made.mjs'

export {
  bufferFailed, bufferFloor, bufferRemaining, bufferResize, bufferSupply, bufferTake,
  bufferTakeUntilRequest, bufferWants, codes, kinds, layoutDecode, layoutDecodeMany, layoutEncode,
  layoutFacts, layoutFits, layoutMaxId, layoutMinId, layoutTick, layoutWorkerId, machine,
  machineExtend, machineFill, machineIssue, machineJump, machineNextId, machineOpen, policies,
  presets, textForms,
} from './glue/snowmint.js'
export { raiseBy } from './made.mjs'

export const backend = 'wasm'

/** What waits for the module; nothing once it is there. */
let waiting = []

/** Runs `work` as soon as the module is there. */
export function ready(work) {
  waiting.push(work)
}

/** The module is there. */
export function start() {
  const works = waiting
  waiting = undefined
  works.forEach(work => work())
}

function refuse() {
  const error = raised(0, 'snowmint is not loaded yet: await init() first')
  throw Object.assign(error, { code: 'unsupported' })
}

/** Says that the module is not there yet, whatever is asked for. */
export const missing = new Proxy({}, { get: refuse })

/** A function that needs the module, and none of its values: the first that may be called. */
function loaded(call) {
  return (...given) => {
    if (waiting) refuse()
    return call(...given)
  }
}

export const buffer = /* @__PURE__ */ loaded(engine.buffer)
export const buildLayout = /* @__PURE__ */ loaded(engine.buildLayout)
export const detectText = /* @__PURE__ */ loaded(engine.detectText)
export const formatText = /* @__PURE__ */ loaded(engine.formatText)
export const guess = /* @__PURE__ */ loaded(engine.guess)
export const layout = /* @__PURE__ */ loaded(engine.layout)
export const limits = /* @__PURE__ */ loaded(engine.limits)
export const parseText = /* @__PURE__ */ loaded(engine.parseText)
export const policyAction = /* @__PURE__ */ loaded(engine.policyAction)
export const range = /* @__PURE__ */ loaded(engine.range)
export const timestamp = /* @__PURE__ */ loaded(engine.timestamp)

/** At a time as `Date.now()` gives it: a bigint would cost more than the ID. */
export function machineIdAt(machine, now) {
  const id = machine.idAt(now)
  // -1 stands for an error, which the other call throws.
  return id === -1n ? engine.machineNextId(machine, BigInt(Math.floor(now))) : BigInt.asUintN(64, id)
}
