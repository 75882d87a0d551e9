'use strict'
// Fetches the numbers of a segment, ahead of their use and one request at a time.

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const { limits } = require('../policies.js')
const { Range, SegmentBuffer } = require('../ranges.js')
const { closed, failure, isTransient } = require('./minting.js')
const { bytes } = require('./random.js')
const { failuresOf } = require('./failures.js')

const RETRY_MS = 100

/**
 * Returns a step that grows up to Leaf's bound while ranges last less than a quarter of an hour.
 */
function adaptive(min) {
  return { min, max: min > 1_000_000n ? min : 1_000_000n }
}

/** Reads `[start, end]`, `[start, end, stride]` or `{ start, end, stride }` from the user. */
function rangeOf(given) {
  const { 0: first, 1: past, 2: apart = 1n, start = first, end = past, stride = apart } = Object(given)
  try {
    return new Range(...[start, end, stride].map((value, at) => (
      check.unsignedOrDigits(value, ['start', 'end', 'stride'][at])
    )))
  } catch (cause) {
    throw new SnowmintError('invalid_range', `allocate should give [start, end): ${cause.message}`)
  }
}

/**
 * Returns the error for a range that is too large. A store may give more than was asked for, but
 * more than anybody can ask for is a mistake.
 */
function excess(tag, given, asked) {
  return new SnowmintError('invalid_answer', `the store answered with a range of ${given} numbers of tag ${tag}, ` +
    `where ${asked} and never above ${limits.maxStep} were asked for; nothing of it is used: mend the store`)
}

function now() {
  return Math.floor(performance.now())
}

/**
 * Returns a segment's access to a buffer that is kept full. It calls `news` when the buffer's state
 * has changed.
 */
function fetching({ tag, allocate, step, prefetch, news }) {
  const buffer = new SegmentBuffer({
    step: step ?? adaptive(1000n),
    prefetch: { usedPercent: prefetch },
  })
  // Numbers taken from the buffer and not yet given out.
  let first = 0n
  let past = 0n
  let stride = 1n
  /** The numbers of a failed call, which are given out first. */
  let returned = []
  /** The largest count of numbers that a call wants. */
  let wanted = 0
  /** The count of numbers that the buffer asks for. */
  let due = 0
  let isBusy = false
  let isClosed = false
  let error
  /**
   * The error that is set once ranges went back. From then on, another process may have the same
   * numbers as the store gives and as are at hand.
   */
  let fence
  let retryAt = 0
  /** The end of the last range. */
  let end
  /** The sizes of the last ranges. */
  let sizes = []
  const outage = failuresOf(() => ({ source: 'segment', tag }))

  /** Continues with the next fetched numbers, and starts fetching more in time. */
  function turn() {
    if (isClosed) throw closed()
    if (fence) throw fence
    if (!isBusy && now() >= retryAt) due ||= Number(buffer.wants(now()))
    if (!isBusy && due) {
      // It gets its own stack, because the caller's may be nearly full.
      queueMicrotask(fetch)
      isBusy = true
    }
    const piece = buffer.takeUntilRequest()
    if (!piece) throw error ?? new SnowmintError('wait_timeout', 'no number is here yet')
    first = piece.start
    past = piece.end
    stride = piece.stride
  }

  /**
   * Returns the numbers at hand by their ranges: the rest of the first range, and the others whole.
   */
  function buckets() {
    let left = buffer.remaining + BigInt(returned.length) + (past - first + stride - 1n) / stride
    const rows = []
    for (const size of [...sizes].reverse()) {
      if (left > 0n) rows.unshift({ left: left < size ? left : size, size })
      left -= size
    }
    return rows
  }

  async function fetch() {
    try {
      const count = Math.min(Math.max(due, wanted), Number(limits.maxStep))
      due = 0
      const given = await allocate(tag, count)
      if (step === undefined && given?.step) buffer.resize(adaptive(given.step))
      const range = rangeOf(given)
      if (range.count > limits.maxStep) throw excess(tag, range.count, count)
      const held = buckets()
      buffer.supply(range, now())
      end = range.end
      sizes = [...held.map(({ size }) => size), range.count]
      outage.over()
      error = undefined
      wanted = 0
    } catch (cause) {
      buffer.failed()
      error = failure(cause)
      if (error.code === 'range_regressed') fenceBy(error)
      outage.note(error)
      retryAt = performance.now() + (error.waitMs ?? RETRY_MS + bytes(1)[0] / 2)
    }
    isBusy = false
    news()
  }

  /** Stops giving numbers until the segment is opened anew. */
  function fenceBy(regress) {
    fence = regress
    first = past
    returned = []
  }

  function next() {
    if (returned.length) return returned.shift()
    if (first >= past) turn()
    const id = first
    first += stride
    return id
  }

  return {
    next,
    some(ids) {
      wanted = ids.length
      let count = 0
      do ids[count++] = next()
      while (count < ids.length && (first < past || returned.length))
      return count
    },
    undo(ids) {
      returned = [...ids, ...returned]
    },
    ready() {
      if (first >= past) turn()
    },
    stats: () => ({
      kind: 'segment',
      buckets: isClosed ? [] : buckets(),
      lastFailure: outage.last(),
      tagNext: end && { tag, next: end },
    }),
    pause(cause) {
      if (!isTransient(cause)) return undefined
      return isBusy ? Infinity : Math.max(1, retryAt - performance.now())
    },
    end() {
      isClosed = true
      first = past
      returned = []
    },
  }
}

module.exports = { fetching }
