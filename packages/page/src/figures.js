// Numbers, spans and moments as the page shows them.

import { grouped, isoOf } from './moments.js'

const NONE = '–'

/** A whole number, in groups of three. */
export function whole(number) {
  return number === undefined || number === null ? NONE : grouped(number)
}

/** A rate: the smaller, the more digits. */
export function rate(perS) {
  if (perS === undefined || perS === null) return NONE
  return perS >= 100 ? grouped(Math.round(perS)) : String(Math.round(perS * 10) / 10)
}

/** Seconds, in their largest two units. */
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

/** A moment, in UTC to the second. */
export function moment(unixMs) {
  if (unixMs === undefined || unixMs === null) return NONE
  return isoOf(Math.floor(unixMs / 1000) * 1000).replace('T', ' ').replace('Z', ' UTC')
}

/** How long ago. */
export function ago(unixMs, nowMs) {
  return unixMs === undefined ? NONE : `${span(Math.max(0, nowMs - unixMs) / 1000)} ago`
}

/** Text of others on one line: what would move a cursor is shown as what it is. */
export function plain(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
}
