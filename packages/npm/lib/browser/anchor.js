'use strict'
// Sets a clock by a store.

/**
 * Sets a clock by a store that was asked at `asked` and has just answered: the store's time was
 * `time` somewhere in between. If the clock is ahead, it goes back at once, or is slewed if it
 * `isUsed`.
 */
function anchor(clock, time, asked, isUsed) {
  const now = clock.read()
  const right = Math.min(Math.max(now, time), time + Math.max(0, now - asked))
  const reached = isUsed ? Math.max(right, Math.min(now, clock.reached)) : right
  clock.offset += reached - now
  clock.owed = reached - right
}

module.exports = { anchor }
