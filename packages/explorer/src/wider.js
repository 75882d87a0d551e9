// IDs of more than 64 bits: their kinds, and the times that some of them contain.

import { parse } from 'snowmint'

const UUID = /^(urn:uuid:|\{)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i
const ULID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i
const OBJECT_ID = /^[0-9a-f]{24}$/i
/** The ticks of 100 ns from the Gregorian reform, where UUIDs of version 1 and 6 begin, to 1970. */
const GREGORIAN_TICKS = 0x01b21dd213814000n

/** The content of each version of a UUID without a time. */
const TIMELESS = {
  3: 'It is a hash of a name (MD5) and holds no time.',
  4: 'It is random and holds no time.',
  5: 'It is a hash of a name (SHA-1) and holds no time.',
  8: 'What it holds is known to who made it alone.',
}

/**
 * Returns the meaning of an ID of more than 64 bits as `{ name, bits, unixMs, note }`, or `null`
 * for other texts. `unixMs` is `null` if the ID contains no time.
 */
export function aboutWider(bare) {
  if (UUID.test(bare)) return aboutUuid(bare.replace(/^urn:uuid:/i, '').replace(/[^0-9a-f]/gi, ''))
  if (ULID.test(bare)) {
    const unixMs = parse(`000${bare.slice(0, 10)}`, 'base32')
    return { name: 'ULID', bits: 128, unixMs, note: 'The last 16 of its symbols are random.' }
  }
  if (OBJECT_ID.test(bare)) {
    const unixMs = BigInt(`0x${bare.slice(0, 8)}`) * 1000n
    return { name: 'ObjectId of MongoDB', bits: 96, unixMs, note: 'Its time is in seconds.' }
  }
  return null
}

function aboutUuid(digits) {
  const version = digits[12]
  const unixMs = timeOfUuid(digits, version)
  const note = TIMELESS[version] ?? (unixMs === null ? 'No version that is known.' : '')
  return { name: `UUID of version ${version}`, bits: 128, unixMs, note }
}

function timeOfUuid(digits, version) {
  const [low, middle, high] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16)]
  if (version === '7') return BigInt(`0x${low}${middle}`)
  if (version === '1') return gregorian(`${high}${middle}${low}`)
  return version === '6' ? gregorian(`${low}${middle}${high}`) : null
}

function gregorian(hex) {
  return (BigInt(`0x${hex}`) - GREGORIAN_TICKS) / 10_000n
}
