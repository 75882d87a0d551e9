'use strict'
// The clock of a generator. It never decides whether an ID is unique, only how true its time is.

/** The interval of wall time after which both clocks are read. */
const LOOK_MS = 50
/**
 * The difference of the clocks that is no step yet: browsers coarsen each clock to up to 100 ms.
 */
const TOLERANCE_MS = 250
/**
 * The longest time between two readings that count as one. Slower readings are repeated up to
 * `READINGS` times.
 */
const READING_MS = 5
const READINGS = 3

/**
 * The wall clock, checked by the monotonic clock. A leap ahead is followed, because the monotonic
 * clock may stop while the machine sleeps. A step back is not followed. A store's time corrects
 * both. If used time is above the store's, the clock pays it back at half speed.
 */
class Clock {
  /**
   * The number of times that wall time has leapt ahead of the monotonic clock, by a sleep or a
   * step.
   */
  leaps = 0
  /** A function that is called each time after both clocks were looked at. */
  onLook
  /** The milliseconds to add to wall time. */
  offset = 0
  /** The milliseconds by which the time is above the store's. */
  owed = 0
  /** The time before leaps that are in doubt. */
  reached = Infinity

  constructor({ wall = Date.now, mono = () => performance.now() } = {}) {
    let seen, seenMono
    /**
     * Returns the part of the debt that is paid: half of the passed wall time, so the time never
     * goes back.
     */
    const paidIn = ms => Math.min(this.owed, Math.floor(ms / 2))

    /** Reads both clocks and returns the time, without calling `onLook`. */
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

    /** Returns milliseconds from a clock that nobody can set. */
    this.mono = mono
    /** Returns Unix milliseconds. */
    this.now = () => {
      const now = wall()
      const since = now - seen
      return since >= 0 && since < LOOK_MS ? now + this.offset - paidIn(since) : this.look()
    }
    /** Looks at both clocks and returns the time. */
    this.look = () => {
      const now = this.read()
      this.onLook?.()
      return now
    }
    this.read()
  }
}

module.exports = { Clock }
