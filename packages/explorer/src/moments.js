// Times, spans and numbers in words.

const DAY_MS = 86_400_000
const YEAR_MS = 365.2425 * DAY_MS
/** The largest distance from 1970 of a `Date`. */
const DATE_MAX_MS = 8_640_000_000_000_000n

const DAY = String.raw`\d{4}(?:-\d\d(?:-\d\d)?)?`
const CLOCK = String.raw`\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?`
const ZONE = String.raw`Z|UTC|[+-]\d\d(?::?\d\d)?`
const MOMENT = new RegExp(`^(${DAY})(?:[T ](${CLOCK}) ?(${ZONE})?)?$`, 'i')

const UNITS = [
  ['year', YEAR_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** Returns digits in groups of three. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Returns a number to three digits, in words from a billion on. */
export function roughly(number) {
  if (number < 1_000_000_000) return grouped(number)
  const form = { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 3 }
  return new Intl.NumberFormat('en-GB', form).format(number)
}

/** Returns a number and its noun. */
export function plural(count, noun) {
  const one = BigInt(Math.round(Number(count))) === 1n && Number(count) === 1
  return `${grouped(count)} ${noun}${one ? '' : 's'}`
}

/** Returns the `Date` of Unix milliseconds, or `null` if it is out of range. */
function dateOf(unixMs) {
  const ms = BigInt(unixMs)
  const absolute = ms < 0n ? -ms : ms
  return absolute <= DATE_MAX_MS ? new Date(Number(ms)) : null
}

/** Returns a time as RFC 3339 in UTC, without the fraction if it is 0. */
export function isoOf(unixMs) {
  const date = dateOf(unixMs)
  if (!date) return `${grouped(unixMs)} ms of Unix time`
  return date.toISOString().replace(/\.000Z$/, 'Z')
}

/** Returns only the date, in UTC. */
export function dayOf(unixMs) {
  return dateOf(unixMs)?.toISOString().split('T')[0] ?? 'beyond the year 275,760'
}

/** Returns a time in words, in a time zone (default: the reader's). */
export function wordsOf(unixMs, timeZone, tickMs = 1) {
  const date = dateOf(unixMs)
  if (!date) return isoOf(unixMs)
  const fraction = tickMs % 1000 === 0 ? {} : { fractionalSecondDigits: 3 }
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...fraction,
  }).format(date)
}

/** Returns a time in words in the reader's time zone, with its name, or `''` if that is UTC. */
export function localWordsOf(unixMs, tickMs = 1) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  if (!dateOf(unixMs) || /^(Etc\/)?(UTC|GMT)$/.test(timeZone)) return ''
  return `${wordsOf(unixMs, timeZone, tickMs)} in ${timeZone}`
}

/** Returns the length of a span in its two largest units: `4 years 146 days`, `3 s`, `12.345 s`. */
export function spanOf(ms) {
  let left = Math.abs(Number(ms))
  if (left < 1000) return `${left} ms`
  if (left < 60_000) return plural(left / 1000, 'second')
  left = Math.round(left / 1000) * 1000
  const parts = []
  for (const [name, length] of UNITS) {
    const last = parts.length === 1
    const count = Math.floor(left / length)
    if (count > 0) parts.push(plural(count, name))
    else if (last) break
    left -= count * length
    if (parts.length === 2) break
  }
  return parts.join(' ')
}

/** Returns a span to the millisecond: `1,234 days 05:06:07.008`. */
export function exactSpanOf(ms) {
  const total = ms < 0n ? -ms : ms
  const days = total / BigInt(DAY_MS)
  const clock = new Date(Number(total % BigInt(DAY_MS))).toISOString().slice(11, 23)
  return days === 0n ? clock : `${plural(days, 'day')} ${clock}`
}

/** Returns the distance of a time from now: `4 years ago`, `in 3 hours`. */
export function relativeOf(unixMs, nowMs) {
  const away = Number(unixMs) - nowMs
  if (Math.abs(away) < 1000) return 'now'
  return away < 0 ? `${spanOf(away)} ago` : `in ${spanOf(away)}`
}

/**
 * Returns the Unix milliseconds of a typed text: ISO 8601 (in UTC without a zone), Unix seconds or
 * milliseconds, or `now`. Returns `null` for other texts.
 */
export function parseMoment(text, nowMs) {
  const trimmed = text.trim()
  if (/^now$/i.test(trimmed)) return BigInt(nowMs)
  if (/^-?\d{11,16}$/.test(trimmed)) return BigInt(trimmed)
  if (/^-?\d{5,10}$/.test(trimmed)) return BigInt(trimmed) * 1000n
  const match = MOMENT.exec(trimmed)
  if (!match) return null
  const [, day, clock, zone = 'Z'] = match
  // JavaScript reads 30 February as 2 March.
  if (!new Date(day).toJSON()?.startsWith(day)) return null
  const whole = clock ? `${day}T${clock.replace(',', '.')}${zoneText(zone)}` : day
  const ms = Date.parse(whole)
  return Number.isNaN(ms) ? null : BigInt(ms)
}

/**
 * Returns the last millisecond of a text like {@link parseMoment}'s. A date means its whole day,
 * month or year.
 */
export function parseEnd(text, nowMs) {
  const ms = parseMoment(text, nowMs)
  const date = /^\d{4}(-\d\d)?(-\d\d)?$/.exec(text.trim())
  if (ms === null || !date) return ms
  const [, month, day] = date
  const next = new Date(Number(ms))
  if (day) next.setUTCDate(next.getUTCDate() + 1)
  else if (month) next.setUTCMonth(next.getUTCMonth() + 1)
  else next.setUTCFullYear(next.getUTCFullYear() + 1)
  return BigInt(next.getTime()) - 1n
}

function zoneText(zone) {
  if (/^(z|utc)$/i.test(zone)) return 'Z'
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  return `${sign}${hours}:${minutes}`
}
