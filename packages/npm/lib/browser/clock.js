'use strict'
// The time a generator goes by. None of this decides whether an ID is unique, only how true its
// time is.

/** By the wall clock, after so long both clocks are looked at. */
const LOOK_MS = 50
/** Clocks differ by so much without a step: browsers coarsen each to up to 100 ms. */
const TOLERANCE_MS = 250
/** Readings further apart are not of one moment, and are repeated, so many times. */
const READING_MS = 5
const READINGS = 3

/**
 * Wall time, with the monotonic clock as witness. Ahead it is followed, since the monotonic clock
 * may stop while the machine sleeps; a step back is not. The time of a store puts both right; what has
 * been used and is above it is paid back at half speed.
 */
class Clock {
  /** How often wall time has leapt ahead of the monotonic clock: a sleep, or a step. */
  leaps = 0
  /** Called after every look at both clocks. */
  onLook
  /** What to add to wall time. */
  offset = 0
  /** How far the time is above the store's. */
  owed = 0
  /** The time before leaps that are in doubt. */
  reached = Infinity

  constructor({ wall = Date.now, mono = () => performance.now() } = {}) {
    let seen, seenMono
    /** Of what is owed. Half of what passes on the wall: the time never goes back. */
    const paidIn = ms => Math.min(this.owed, Math.floor(ms / 2))

    /** The time, after a reading of both clocks that nobody is told of. */
    this.read = () => {
      let now, nowMono
      let tries = READINGS
      do {
        nowMono = this.mono()
        now = wall()
      } while (this.mono() - nowMono > READING_MS && --tries)
      const ran = Math.max(0, nowMono - seenMono)
      const ahead = now - seen - ran
      const tolerance = TOLERANCE_MS + ran / 2000
      if (ahead > tolerance) {
        this.leaps++
        this.reached = Math.min(this.reached, seen + this.offset)
      } else if (ahead < -tolerance || now < seen) {
        this.offset -= ahead
      } else if (this.owed > 0) {
        const paid = paidIn(now - seen)
        this.offset -= paid
        this.owed -= paid
      }
      seen = now
      seenMono = nowMono
      return now + this.offset
    }

    /** Milliseconds that nobody can set. */
    this.mono = mono
    /** Unix milliseconds. */
    this.now = () => {
      const now = wall()
      const since = now - seen
      return since >= 0 && since < LOOK_MS ? now + this.offset - paidIn(since) : this.look()
    }
    /** The time, after a look at both clocks. */
    this.look = () => {
      const now = this.read()
      this.onLook?.()
      return now
    }
    this.read()
  }
}

module.exports = { Clock }
