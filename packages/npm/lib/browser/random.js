'use strict'
// Random numbers that no copy of a page sees again.

const { SnowmintError } = require('../errors.js')
const { here } = require('./here.js')

/** So many random bytes. Nothing else than crypto will do. */
function bytes(length) {
  const crypto = here.crypto()
  if (!crypto?.getRandomValues) {
    const message = 'this environment has no crypto.getRandomValues, which random numbers are of'
    throw new SnowmintError('unsupported', message)
  }
  return crypto.getRandomValues(new Uint8Array(length))
}

/** A random number of so many bits. */
function random(bits) {
  return BigInt.asUintN(bits, new BigUint64Array(bytes(8).buffer)[0])
}

/** Bytes as hexadecimal digits. */
function hex(list) {
  let text = ''
  for (const byte of list) text += (byte + 256).toString(16).slice(1)
  return text
}

module.exports = { bytes, hex, random }
