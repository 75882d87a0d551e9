'use strict'
// Holds a leased worker ID for a generator: takes it, renews it, gives it up. Timers only make
// renewals early. Uniqueness of IDs depends on the machine, which never leaves its reserved time.

const check = require('../arguments.js')
const { SnowmintError } = require('../errors.js')
const native = require('../native.js')
const { reachOf } = require('../reach.js')
const { anchor } = require('./anchor.js')
const { emit } = require('./events.js')
const { CLOSED } = require('./lanes.js')
const { failure, isTransient, unavailable } = require('./minting.js')
const { bytes, hex } = require('./random.js')
const { takeSlot } = require('./slots.js')
const { failuresOf } = require('./failures.js')

const RETRY_MS = 100
/** The longest pause between retries after several failures, if a call waits. */
const RETRY_MAX_MS = 500
/** The longest pause if no call waits. */
const RETRY_IDLE_MS = 5000
const RESERVE_MAX_MS = 3_600_000
/** The same and a day, for times above those of a store whose clock was set back. */
const RESERVE_AHEAD_MAX_MS = RESERVE_MAX_MS + 86_400_000
/**
 * A reservation is renewed when two thirds of it are left. The next tick must begin within those.
 */
const TICK_MAX_MS = RESERVE_MAX_MS * 2 / 3

/**
 * Keeps a lease for `machine`, and calls `news` when something has changed. `rest(ms)` waits for
 * that. Returns `held()`, which resolves once there is a lease or throws the reason; `want()`,
 * which returns the error for a caller without time left; `stats()`; and `close()`.
 */
function keep({ store, layout, reserveMs: asked, maxAheadMs, clock, machine, news, rest }) {
  check.narrow(layout.tickMs, 'tickMs', TICK_MAX_MS)
  const realm = String(layout)
  const reserveMs = Math.min(RESERVE_MAX_MS, Math.max(asked, maxAheadMs * 2, layout.tickMs * 4))
  let lease, slot, error, timer, since
  const outage = failuresOf(() => ({ source: 'snowflake', workerId: lease?.workerId }))
  /** True if the machine has the time of the lease. */
  let isOpen = false
  /**
   * True if the clock has leapt. The store then shows whether the machine slept or the clock was
   * set.
   */
  let inDoubt = false
  let leaps = 0
  /** True if another generator has the worker ID, or will have it. */
  let isLost = false
  /** The token of a renewal whose answer has not come yet. A repeat with it succeeds again. */
  let token
  let isBusy = false
  /** True once closed, or while the page is being left. */
  let isAway = false
  /** The count of leavings. Answers to questions from before a leaving are of no use. */
  let visit = 0
  let failures = 0
  let retryAt = 0
  /** The time at which the store wants to be asked again. */
  let notBefore = 0

  /**
   * Returns the milliseconds to ask the store for, so that the reservation reaches above this
   * clock.
   */
  function wantedMs() {
    return Math.min(RESERVE_AHEAD_MAX_MS, reserveMs + clock.owed)
  }

  /**
   * Returns the tick of a time. Floors and ends are both rounded down, so disjoint leases stay
   * disjoint.
   */
  function tickOf(unixMs) {
    if (unixMs < layout.epochMs) return 0n
    return unixMs < layout.expiresMs ? layout.tickAt(unixMs) : layout.ticks
  }

  function open() {
    const { workerId, floorMs, reservedMs } = lease
    const reserved = tickOf(reservedMs)
    if (isOpen) native.machineExtend(machine, reserved)
    else native.machineOpen(machine, { ...CLOSED, workerId, floor: tickOf(floorMs), reserved })
    isOpen = true
    clock.reached = Infinity
  }

  function shut() {
    if (isOpen) native.machineOpen(machine, CLOSED)
    isOpen = false
  }

  function soon(ms) {
    retryAt = Math.min(retryAt, clock.mono() + ms)
  }

  /** Runs after every look at the clocks. */
  function look() {
    if (lease && clock.leaps > leaps) {
      inDoubt = true
      shut()
      soon(RETRY_MS)
    }
    leaps = clock.leaps
    wake()
  }

  /** Does the next step if it is due, or sets a timer for it. */
  function wake() {
    // Reading the clock may look at both clocks, and so call this function.
    const now = clock.now()
    if (isBusy || isAway) return
    clearTimeout(timer)
    // A lease is renewed once a third of the reservation is used up.
    const isDue = !lease || isLost || inDoubt
    const due = isDue ? 0 : Number(lease.reservedMs) - now - reserveMs * 2 / 3
    const pause = Math.max(Math.max(retryAt, notBefore) - clock.mono(), due)
    if (pause > 0) {
      timer = setTimeout(() => clock.look(), pause)
      // The timer keeps no process alive.
      timer.unref?.()
      return
    }
    // It gets its own stack, because the caller's may be nearly full.
    queueMicrotask(begin.bind(null, visit, now, leaps))
    isBusy = true
  }

  async function begin(...given) {
    await round(...given).catch(failed)
    isBusy = false
    news()
    wake()
  }

  async function round(asking, asked, leapt) {
    const askedMs = wantedMs()
    try {
      const renews = lease && !isLost
      const got = await (renews ? renew(askedMs) : acquire(asking, askedMs))
      if (asking !== visit) {
        // The source was closed or left in the meantime, so nobody may use the lease.
        if (got && !renews) await store.release(got)
        return
      }
      anchor(clock, Number(got.nowMs), asked, since !== undefined)
      outage.over()
      if (!renews) {
        shut()
        since = clock.mono()
      }
      lease = got
      isLost = false
      token = error = undefined
      // If the store was set back, more is wanted now than was asked for. So it is asked again
      // soon.
      retryAt = clock.mono() + (askedMs < wantedMs() ? RETRY_MS : reserveMs / 20)
    } catch (cause) {
      if (asking !== visit) return
      failed(cause)
    }
    // If the store fails, wall time is believed.
    inDoubt &&= leapt !== leaps
    if (inDoubt) soon(RETRY_MS)
    else if (lease) open()
    if (!error) failures = 0
  }

  function failed(cause) {
    error = failure(cause)
    outage.note(error)
    if (error.code === 'lease_lost') {
      isLost = true
      token = undefined
    }
    // The random part keeps clients that lost the store together from coming back together.
    retryAt = clock.mono() + Math.min(RETRY_MS << failures, RETRY_IDLE_MS) + bytes(1)[0] / 2
    notBefore = clock.mono() + (error.waitMs ?? 0)
    failures = Math.min(failures + 1, 8)
  }

  async function acquire(asking, askedMs) {
    const taken = slot ?? await takeSlot(realm)
    if (asking !== visit) return taken.leave()
    slot = taken
    const { maxWorkerId } = layout
    const holder = { realm, owner: slot.owner, token: hex(bytes(16)) }
    const pace = { reserveMs: askedMs, maxAheadMs }
    const reachMs = reachOf(pace)
    const answer = await store.acquire({ ...holder, maxWorkerId, ...pace, reachMs })
    const got = {
      ...holder,
      workerId: check.narrow(answer?.workerId, 'workerId', maxWorkerId),
      epoch: check.unsigned(answer.epoch, 'epoch'),
      floorMs: check.time(answer.floorMs, 'floorMs'),
      ...times(answer),
    }
    const aheadMs = Number(got.floorMs - got.nowMs)
    if (aheadMs <= reachMs) return got
    await store.release(got)
    throw outOfReach(aheadMs, reachMs)
  }

  async function renew(askedMs) {
    const next = token ??= hex(bytes(16))
    return { ...lease, ...times(await store.renew(lease, next, askedMs)), token: next }
  }

  function times({ reservedMs, nowMs }) {
    return { reservedMs: check.time(reservedMs, 'reservedMs'), nowMs: check.time(nowMs, 'nowMs') }
  }

  /** Ends the lane, then the lease. */
  async function leave() {
    isAway = true
    visit++
    clearTimeout(timer)
    const left = isLost ? undefined : lease
    try {
      shut()
    } finally {
      slot?.leave()
      lease = slot = token = undefined
      isLost = inDoubt = false
      if (left) await store.release(left)
    }
  }

  function come() {
    isAway = false
    clock.look()
  }

  function hide() {
    leave().catch(() => {})
  }

  globalThis.addEventListener?.('pagehide', hide)
  globalThis.addEventListener?.('pageshow', come)
  clock.onLook = look
  wake()
  if (layout.expires - Date.now() < 31_536_000_000) {
    const message = `the layout ends at ${layout.expires.toJSON()}`
    emit('expires_soon', { source: 'snowflake', message })
  }

  return {
    async held() {
      while (!lease) {
        if (error) throw error
        await rest(Infinity)
      }
    },
    want() {
      soon(RETRY_MAX_MS)
      wake()
      if (!error && clock.owed > RESERVE_AHEAD_MAX_MS) return setBack(clock.owed)
      return error && !isTransient(error) ? error : unavailable(error)
    },
    stats() {
      const facts = isOpen && {
        workerId: lease.workerId,
        leaseAgeMs: Math.round(clock.mono() - since),
        reservedMs: Number(lease.reservedMs) - Date.now() - clock.offset,
        reserveMs,
      }
      return { ...facts, lastFailure: outage.last() }
    },
    close() {
      globalThis.removeEventListener?.('pagehide', hide)
      globalThis.removeEventListener?.('pageshow', come)
      return leave()
    },
  }
}

function outOfReach(aheadMs, reachMs) {
  const message = `the store answered with a lease of time from ${aheadMs} ms ahead of its clock on, ` +
    `where at most ${reachMs} can be used`
  return new SnowmintError('invalid_answer', message)
}

function setBack(ms) {
  const message = `the store's clock was set back, and is ${ms} ms behind the time that this source ` +
    'has reached, for which it reserves none: set it right, or load the page anew'
  return new SnowmintError('lease_unavailable', message)
}

module.exports = { keep }
