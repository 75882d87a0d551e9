// Numbers, spans and times as the page shows them.

import { grouped, isoOf } from '../../explorer/src/moments.js'

const NONE = '–'

/** Returns a whole number, in groups of three digits. */
export function whole(number) {
  return number === undefined || number === null ? NONE : grouped(number)
}

/** Returns a rate, with a decimal digit if it is below 100. */
export function rate(perS) {
  if (perS === undefined || perS === null) return NONE
  return perS >= 100 ? grouped(Math.round(perS)) : String(Math.round(perS * 10) / 10)
}

/** Returns seconds in their largest two units. */
export function span(seconds) {
  if (seconds === undefined || seconds === null) return NONE
  if (seconds < 0) return `−${span(-seconds)}`
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ]
  const total = Math.round(seconds)
  const at = units.findIndex(([, size]) => total >= size)
  const [unit, size] = units[at]
  const rest = Math.floor((total % size) / (units[at + 1]?.[1] ?? 1))
  const more = units[at + 1] && rest > 0 ? ` ${rest} ${units[at + 1][0]}` : ''
  return `${grouped(Math.floor(total / size))} ${unit}${more}`
}

/** Returns a time in UTC, to the second. */
export function moment(unixMs) {
  if (unixMs === undefined || unixMs === null) return NONE
  return isoOf(Math.floor(unixMs / 1000) * 1000).replace('T', ' ').replace('Z', ' UTC')
}

/** Returns how long ago a time was. */
export function ago(unixMs, nowMs) {
  return unixMs === undefined ? NONE : `${span(Math.max(0, nowMs - unixMs) / 1000)} ago`
}

/** Returns a text from others on one line. Characters that would move a cursor are replaced. */
export function plain(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
}
