'use strict'
// A clock that is put right.

/**
 * Gives a clock the time of a store that was asked at `asked` and has just answered: it was `time`
 * somewhere in between. A time that is above it is followed back at once where nothing has been made
 * of it, and slewed away where the clock `isUsed`.
 */
function anchor(clock, time, asked, isUsed) {
  const now = clock.read()
  const right = Math.min(Math.max(now, time), time + Math.max(0, now - asked))
  const reached = isUsed ? Math.max(right, Math.min(now, clock.reached)) : right
  clock.offset += reached - now
  clock.owed = reached - right
}

module.exports = { anchor }
