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
 * may stop while the machine sleeps; a step back is not. The time of a store puts both right.
 */
class Clock {
  #wall
  #mono
  /** What to add to wall time. */
  #offset = 0
  #seen
  #seenMono
  /** How often wall time has leapt ahead of the monotonic clock: a sleep, or a step. */
  leaps = 0
  /** Called after every look at both clocks. */
  onLook = () => {}

  constructor({ wall = Date.now, mono = () => performance.now() } = {}) {
    this.#wall = wall
    this.#mono = mono
    this.#read()
  }

  /** Unix milliseconds. */
  now() {
    const wall = this.#wall()
    const since = wall - this.#seen
    return since >= 0 && since < LOOK_MS ? wall + this.#offset : this.look()
  }

  /** Milliseconds that nobody can set. */
  mono() {
    return Math.floor(this.#mono())
  }

  /** The time, after a look at both clocks. */
  look() {
    const now = this.#read()
    this.onLook()
    return now
  }

  /**
   * Takes the time of a store that was asked at `asked` and has just answered: it was `time`
   * somewhere in between.
   */
  anchor(time, asked) {
    const now = this.#read()
    this.#offset += Math.min(Math.max(now, time), time + Math.max(0, now - asked)) - now
  }

  #read() {
    let mono, wall
    let tries = READINGS
    do {
      mono = this.mono()
      wall = this.#wall()
    } while (this.mono() - mono > READING_MS && --tries)
    const ran = Math.max(0, mono - this.#seenMono)
    const ahead = wall - this.#seen - ran
    const tolerance = TOLERANCE_MS + ran / 2000
    if (ahead > tolerance) this.leaps++
    else if (ahead < -tolerance || wall < this.#seen) this.#offset -= ahead
    this.#seen = wall
    this.#seenMono = mono
    return wall + this.#offset
  }
}

module.exports = { Clock }
