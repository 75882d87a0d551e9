'use strict'
// Lanes of generators that have no worker ID yet, or have lost it.

/** A lane without any tick. */
const CLOSED = { workerId: 0, rollback: 0, floor: 0n, reserved: 0n }

module.exports = { CLOSED }
