'use strict'
// Random numbers, which copies of a page do not share.

const { SnowmintError } = require('../errors.js')
const { here } = require('./here.js')

/** Returns so many random bytes, from crypto only. */
function bytes(length) {
  const crypto = here.crypto()
  if (!crypto?.getRandomValues) {
    const message = 'this environment has no crypto.getRandomValues, which random numbers are of'
    throw new SnowmintError('unsupported', message)
  }
  return crypto.getRandomValues(new Uint8Array(length))
}

/** Returns a random number of so many bits. */
function random(bits) {
  return BigInt.asUintN(bits, new BigUint64Array(bytes(8).buffer)[0])
}

/** Returns bytes as hexadecimal digits. */
function hex(list) {
  let text = ''
  for (const byte of list) text += (byte + 256).toString(16).slice(1)
  return text
}

module.exports = { bytes, hex, random }
