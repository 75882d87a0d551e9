'use strict'
// A clock that is put right.

/**
 * Gives a clock the time of a store that was asked at `asked` and has just answered: it was `time`
 * somewhere in between.
 */
function anchor(clock, time, asked) {
  const now = clock.read()
  clock.offset += Math.min(Math.max(now, time), time + Math.max(0, now - asked)) - now
}

module.exports = { anchor }
