'use strict'
// The engine as WebAssembly, in the shape of the addon. The other half is bindings/wasm.

/** What the module exports, and its tables; before `start`, what says that they are missing. */
let wasm = new Proxy({}, { get: refuse })
let tables = wasm
let make
let waiting = []

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const handles = new FinalizationRegistry(([free, at]) => wasm[free](at))

function refuse() {
  throw Object.assign(make(0, 'snowmint is not loaded yet: await init() first'), { code: 'unsupported' })
}

/** Runs `work` as soon as the module is there. */
function ready(work) {
  if (waiting) waiting.push(work)
  else work()
}

/** Instantiates the module, once. */
function start(module) {
  if (!waiting) return
  wasm = new WebAssembly.Instance(module).exports
  tables = rows(wasm.tables())
  const works = waiting
  waiting = undefined
  works.forEach(work => work())
}

function raiseBy(makeError) {
  make = makeError
}

/** Throws what the last call left, if it failed. */
function check(result) {
  const number = wasm.failure()
  if (!number) return result
  const waitMs = wasm.failureWaitMs()
  throw make(number, read(wasm.failureLength()), waitMs < 0 ? undefined : waitMs)
}

/** An unsigned integer, where the largest may stand for a failure. */
function wide(value) {
  return BigInt.asUintN(64, value === -1n ? check(value) : value)
}

/** Writes texts for the next call, and says how long they are. */
function put(...texts) {
  const place = new Uint8Array(wasm.memory.buffer, wasm.inputAt(), wasm.inputBytes())
  return encoder.encodeInto(texts.join('\0'), place).written
}

function read(length) {
  return decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.outputAt(), length))
}

/** Reads facts. Texts of digits and an n are bigints. */
function rows(length) {
  return JSON.parse(read(length), (_, value) => (
    /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
  ))
}

function words(length, Type = BigUint64Array) {
  return new Type(wasm.memory.buffer, wasm.wordsAt(), length)
}

/** A value of the module's, given back to it once nobody has it any more. */
function held(at, free) {
  const handle = { at: at || check(at) }
  handles.register(handle, [free, at])
  return handle
}

function lane({ workerId, rollback, floor, reserved }) {
  return [workerId, rollback, floor, reserved]
}

function rangeOf(isThere) {
  if (!isThere) return check(null)
  const [start, end, stride, count] = words(4)
  return { start, end, stride, count }
}

function layoutDecodeMany({ at }, ids, unixMs, ...narrow) {
  const most = 1024
  for (let done = 0; done < ids.length; done += most) {
    const block = ids.subarray(done, done + most)
    words(most).set(block)
    check(wasm.layoutDecodeMany(at, block.length))
    unixMs.set(words(block.length, BigInt64Array), done)
    narrow.forEach((column, n) => {
      const from = wasm.columnsAt() + n * most * 4
      column.set(new Uint32Array(wasm.memory.buffer, from, block.length), done)
    })
  }
}

const backend = 'wasm'

const codes = () => tables.codes
const policies = () => tables.policies
const presets = () => tables.presets.map(row => ({ ...row, layout: { at: row.layout } }))
const textForms = () => tables.textForms
const limits = () => tables.limits
const version = () => tables.version

const layout = text => held(wasm.layout(put(text)), 'freeLayout')
const buildLayout = (fields, epochMs, tickMs) => held(wasm.buildLayout(put(fields), epochMs, tickMs), 'freeLayout')
const layoutFacts = ({ at }) => rows(wasm.layoutFacts(at))
function layoutDecode({ at }, id) {
  check(wasm.layoutDecode(at, id))
  const [unixMs, workerId, sequence, rollback] = words(4, BigInt64Array)
  return { unixMs, workerId: Number(workerId), sequence: Number(sequence), rollback: Number(rollback) }
}

const layoutEncode = ({ at }, ...parts) => wide(wasm.layoutEncode(at, ...parts))
const layoutMinId = ({ at }, time) => wide(wasm.layoutMinId(at, time))
const layoutMaxId = ({ at }, time) => wide(wasm.layoutMaxId(at, time))
const layoutTick = ({ at }, time) => wide(wasm.layoutTick(at, time))
function layoutFits({ at }, bits) {
  const fit = wasm.layoutFits(at, bits)
  return fit > 1 ? words(1, BigInt64Array)[0] : fit > 0
}

function layoutWorkerId({ at }, parts) {
  words(14).set(parts.flatMap(({ kind, value }) => [BigInt(tables.kinds.indexOf(kind)), BigInt(value)]))
  return check(wasm.layoutWorkerId(at, parts.length))
}

const guess = (id, now) => rows(wasm.guess(id, now))

const formatText = (id, form) => read(wasm.formatText(id, put(form)) || check(0))
const parseText = (text, form) => wide(wasm.parseText(put(form, text)))
const detectText = text => read(wasm.detectText(put(text))) || null
const timestamp = time => read(wasm.timestamp(time))

const machine = ({ at }, row, maxAheadMs, { kind, bound, seed }) => (
  held(wasm.machine(at, ...lane(row), maxAheadMs, put(kind), bound, seed), 'freeMachine')
)
const machineNextId = ({ at }, now) => wide(wasm.machineNextId(at, now))
/** At a time as `Date.now()` gives it: a bigint would cost more than the ID. */
const machineIdAt = ({ at }, now) => wide(wasm.machineIdAt(at, now))
function machineIssue({ at }, count, now) {
  check(wasm.machineIssue(at, count, now))
  return issued(new BigUint64Array(count))
}

/** The same into an array, as many as fit, at a time as `Date.now()` gives it. */
function machineFill({ at }, ids, now) {
  check(wasm.machineIssue(at, ids.length, BigInt(Math.floor(now))))
  return issued(ids)
}

function issued(ids) {
  for (let done = 0, count; (count = wasm.issued()); done += count) ids.set(words(count), done)
  return ids
}

const machineExtend = ({ at }, reserved) => wasm.machineExtend(at, reserved)
const machineOpen = ({ at }, row) => { check(wasm.machineOpen(at, ...lane(row))) }
const machineJump = ({ at }, row) => { check(wasm.machineJump(at, ...lane(row))) }
const policyAction = ({ whenBehind, maxWaitMs, whenFull }, number, waitMs) => (
  rows(wasm.policyAction(put(whenBehind, whenFull), maxWaitMs, number, waitMs) || check(0))
)

const range = (start, end, stride) => rangeOf(wasm.range(start, end, stride))
const buffer = (...facts) => held(wasm.buffer(...facts), 'freeBuffer')
const bufferWants = ({ at }, now) => wasm.bufferWants(at, now) || null
const bufferTake = ({ at }, count) => rangeOf(wasm.bufferTake(at, count))
const bufferTakeUntilRequest = ({ at }) => rangeOf(wasm.bufferTakeUntilRequest(at))
const bufferSupply = ({ at }, ...range) => { check(wasm.bufferSupply(at, ...range)) }
const bufferFailed = ({ at }) => wasm.bufferFailed(at)
const bufferResize = ({ at }, ...step) => { check(wasm.bufferResize(at, ...step)) }
const bufferRemaining = ({ at }) => wide(wasm.bufferRemaining(at))
const bufferFloor = ({ at }) => wide(wasm.bufferFloor(at))

module.exports = {
  backend, raiseBy, ready, refuse, start,
  codes, policies, presets, textForms, limits, version,
  layout, buildLayout, layoutFacts, layoutDecode, layoutDecodeMany, layoutEncode, layoutMinId,
  layoutMaxId, layoutTick, layoutFits, layoutWorkerId, guess,
  formatText, parseText, detectText, timestamp,
  machine, machineNextId, machineIdAt, machineIssue, machineFill, machineExtend, machineOpen,
  machineJump, policyAction,
  range, buffer, bufferWants, bufferTake, bufferTakeUntilRequest, bufferSupply, bufferFailed,
  bufferResize, bufferRemaining, bufferFloor,
}
