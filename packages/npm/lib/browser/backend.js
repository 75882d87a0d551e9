'use strict'
// The engine as WebAssembly, in the shape of the addon. The other half is bindings/wasm.

/** Says that the module is not there yet, whatever is asked for. */
const missing = new Proxy({}, {
  get() {
    const error = make(0, 'snowmint is not loaded yet: await init() first')
    throw Object.assign(error, { code: 'unsupported' })
  },
})
/** What the module exports, and its tables. */
let wasm = missing
let tables = missing
let make
const waiting = []

/** Longer texts are cut there. */
const INPUT_BYTES = 16 * 1024
/** How many IDs are taken apart at a time. */
const ROWS = 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const handles = new FinalizationRegistry(([free, at]) => wasm[free](at))

/** Runs `work` as soon as the module is there. */
function ready(work) {
  waiting.push(work)
}

/** Goes to work with an instance of the module. */
function start({ exports }) {
  wasm = exports
  tables = rows(wasm.tables())
  waiting.forEach(work => work())
}

function raiseBy(makeError) {
  make = makeError
}

/** The result of a call, integers unsigned. Throws what the call left, if it failed. */
function checked(result) {
  const number = wasm.failure()
  if (!number) return typeof result === 'bigint' ? BigInt.asUintN(64, result) : result
  const waitMs = wasm.failureWaitMs()
  throw make(number, read(wasm.failureLength()), waitMs < 0 ? {} : { waitMs })
}

/** Calls a function of the module. */
function call(name, ...rest) {
  return checked(wasm[name](...rest))
}

/** A function of the module on one of its values. */
function method(name) {
  return ({ at }, ...rest) => call(name, at, ...rest)
}

/** Memory of the module's. */
function view(Type, at, length) {
  return new Type(wasm.memory.buffer, at, length)
}

/** Writes texts for the next call, and says how long they are. */
function put(...texts) {
  return encoder.encodeInto(texts.join('\0'), view(Uint8Array, wasm.inputAt(), INPUT_BYTES)).written
}

function read(length) {
  return decoder.decode(view(Uint8Array, wasm.outputAt(), length))
}

/** Reads facts. Texts of digits and an n are bigints. */
function rows(length) {
  return JSON.parse(read(length), (_, value) => (
    /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
  ))
}

function words(length) {
  return view(BigUint64Array, wasm.wordsAt(), length)
}

/** A value of the module's, given back to it once nobody has it any more. */
function held(at, free) {
  const handle = { at }
  handles.register(handle, [free, at])
  return handle
}

/** The columns: times, as wide as the IDs and in their place, and three narrow ones. */
function layoutDecodeMany({ at }, ids, ...columns) {
  for (let done = 0; done < ids.length; done += ROWS) {
    const block = ids.subarray(done, done + ROWS)
    words(ROWS).set(block)
    call('layoutDecodeMany', at, block.length)
    columns.forEach((column, n) => {
      column.set(view(column.constructor, wasm.columnAt(n), block.length), done)
    })
  }
}

const backend = 'wasm'

const codes = () => tables.codes
const policies = () => tables.policies
const presets = () => tables.presets
const kinds = () => tables.kinds
const textForms = () => tables.textForms
const limits = () => tables.limits

const layout = text => held(call('layout', put(text)), 'freeLayout')
const buildLayout = (fields, epochMs, tickMs) => (
  held(call('buildLayout', put(fields), epochMs, tickMs), 'freeLayout')
)
const layoutFacts = ({ at }) => rows(wasm.layoutFacts(at))
function layoutDecode({ at }, id) {
  call('layoutDecode', at, id)
  const [unixMs, workerId, sequence, rollback] = view(BigInt64Array, wasm.wordsAt(), 4)
  return { unixMs, workerId: Number(workerId), sequence: Number(sequence), rollback: Number(rollback) }
}

const layoutEncode = method('layoutEncode')
const layoutMinId = method('layoutMinId')
const layoutMaxId = method('layoutMaxId')
const layoutTick = method('layoutTick')
const layoutFits = ({ at }, bits) => rows(wasm.layoutFits(at, bits))

function layoutWorkerId({ at }, parts) {
  const pairs = Object.entries(parts)
  words(14).set(pairs.flatMap(([kind, value]) => [tables.kinds.indexOf(kind), value].map(BigInt)))
  return call('layoutWorkerId', at, pairs.length)
}

const guess = (id, now) => rows(wasm.guess(id, now))

const formatText = (id, form) => read(call('formatText', id, put(form)))
const parseText = (text, form) => call('parseText', put(form, text))
const detectText = text => read(wasm.detectText(put(text))) || null
const timestamp = time => read(wasm.timestamp(time))

const machine = ({ at }, row, maxAheadMs, { kind, bound, seed }) => (
  held(call('machine', at, ...Object.values(row), maxAheadMs, put(kind), bound, seed), 'freeMachine')
)
const machineNextId = method('machineNextId')
/** At a time as `Date.now()` gives it: a bigint would cost more than the ID. */
function machineIdAt({ at }, now) {
  const id = wasm.machineIdAt(at, now)
  // The largest may stand for a failure.
  return BigInt.asUintN(64, id === -1n ? checked(id) : id)
}

function machineIssue({ at }, count, now) {
  call('machineIssue', at, count, now)
  return issued(new BigUint64Array(count))
}

/** The same into an array, as many as fit, at a time as `Date.now()` gives it. */
function machineFill({ at }, ids, now) {
  call('machineIssue', at, ids.length, BigInt(Math.floor(now)))
  return issued(ids)
}

function issued(ids) {
  for (let done = 0, count; (count = wasm.issued()); done += count) ids.set(words(count), done)
  return ids
}

const machineExtend = method('machineExtend')
const machineOpen = ({ at }, row) => call('machineOpen', at, ...Object.values(row))
const machineJump = ({ at }, row) => call('machineJump', at, ...Object.values(row))
const policyAction = ({ whenBehind, maxWaitMs, whenFull }, number, waitMs) => (
  rows(call('policyAction', put(whenBehind, whenFull), maxWaitMs, number, waitMs))
)

module.exports = {
  backend, call, held, method, missing, raiseBy, ready, start, words,
  codes, kinds, policies, presets, textForms, limits,
  layout, buildLayout, layoutFacts, layoutDecode, layoutDecodeMany, layoutEncode, layoutMinId,
  layoutMaxId, layoutTick, layoutFits, layoutWorkerId, guess,
  formatText, parseText, detectText, timestamp,
  machine, machineNextId, machineIdAt, machineIssue, machineFill, machineExtend, machineOpen,
  machineJump, policyAction,
}
