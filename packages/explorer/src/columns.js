// Reads many IDs from a pasted text: lines, lists, CSV, JSON, logs and links.

import { clean, readAs, readText } from './reading.js'
import { READING, WORD, mapped } from './slices.js'

/** The number of cells that are examined to detect the content of a column. */
const SAMPLE = 200
/** The most rejected texts that are kept to be shown. */
const REJECTED_MAX = 20
/** Texts with fewer symbols are not read as IDs in another form than their column's. */
const SHORTEST = 10
/** The number of cells from which on the absence of symbols shows a form. */
const BASE58_FROM = 8
/** The length of a link's start that surely includes its host. */
const HOST_MAX = 300
/** The most cells in which a single ID is taken as the only one. */
const AROUND_MAX = 100
const DELIMITERS = ['\t', ';', ',', '|']
const TWO_64 = 1n << 64n

/**
 * Returns the IDs of a text: `{ ids, form, forms, source, beside, rejected, rejectedCount, only }`,
 * in the order of the text.
 *
 * - `forms` are the possible forms, the likeliest first. `form` is the first, or `chosen` if given.
 * - `source` is the place where the IDs were found.
 * - `beside` is the text around them, unless the text contains only IDs.
 * - `only` is the text of the only ID among a few other words, in a link or in JSON; otherwise
 *   `null`.
 *
 * Like all functions that read many words it is a generator, which yields the cost of each step.
 */
export function* readMany(text, chosen) {
  const { cells, source, beside } = yield* cellsOf(text)
  const forms = yield* formsOf(cells)
  const form = chosen ?? forms[0]
  const ids = new BigUint64Array(cells.length)
  const rejected = []
  let [count, rejectedCount, last] = [0, 0, null]
  for (const [index, cell] of cells.entries()) {
    const id = yield* idOf(cell, form)
    if (id !== null) {
      ids[count++] = id
      last = cell
    } else {
      rejectedCount++
      if (rejected.length < REJECTED_MAX) rejected.push({ place: index + 1, text: cell })
    }
  }
  if (count > 0 && rejected[0]?.place === 1 && isHeader(rejected[0].text)) {
    rejected.shift()
    rejectedCount--
  }
  const only = count === 1 && cells.length <= AROUND_MAX ? last : null
  return { ids: ids.slice(0, count), form, forms, source, beside, rejected, rejectedCount, only }
}

/** Returns the texts that may be IDs, and the place where they were found. */
export function* cellsOf(text) {
  const bare = clean(text)
  if (/^-?\d+$/.test(bare)) return { cells: [bare] }
  const trimmed = text.trim()
  if (/^https?:\/\//.test(trimmed)) return yield* linkCells(trimmed)
  if (/^[[{]/.test(trimmed)) {
    const keyed = yield* keyedCells(trimmed)
    if (keyed) return keyed
  }
  const table = yield* tableCells(trimmed)
  if (table) return table
  const words = yield* mapped(trimmed.matchAll(/[^\s,;|[\]]+/g), WORD, ([word]) => clean(word))
  const tokens = words.filter(Boolean)
  if ((yield* shareOfIds(sampleOf(tokens))) >= 0.5) return { cells: tokens }
  const longs = trimmed.matchAll(/(?<![\w.])\d{15,20}(?![\w.])/g)
  const runs = yield* mapped(longs, WORD, ([digits]) => digits)
  return runs.length > 0
    ? { cells: runs, source: 'the numbers of 15 to 20 digits in the text' }
    : { cells: tokens }
}

function* linkCells(text) {
  const parts = yield* mapped(text.matchAll(/[^\s/?&=#]+/g), WORD, ([part]) => part)
  const numbers = parts.filter(part => /^\d{1,20}$/.test(part))
  // Links also contain the place where they were shared: `?s=20`.
  const long = numbers.filter(number => number.length > SHORTEST)
  const cells = long.length > 0 ? long : numbers
  return { cells, source: 'the numbers of the link', beside: text.slice(0, HOST_MAX) }
}

/** Returns the values of the JSON key that has most IDs. */
function* keyedCells(text) {
  const columns = new Map()
  for (const [, key, string, number] of text.matchAll(
    /"([^"\\]*)"\s*:\s*(?:"([^"\\]*)"|(-?\d+)(?![.\deE]))/g,
  )) {
    if (!columns.has(key)) columns.set(key, [])
    columns.get(key).push(string ?? number)
    yield WORD
  }
  return yield* likeliest(
    [...columns].map(([name, cells]) => ({ name, sample: sampleOf(cells), cells: () => cells })),
    'key',
  )
}

/** Returns the column that has most IDs, from a table with a delimiter. */
function* tableCells(text) {
  const lines = yield* linesOf(text)
  if (lines.length < 2) return null
  const delimiter = yield* delimiterOf(lines.slice(0, SAMPLE))
  if (!delimiter) return null
  const rows = []
  for (const line of lines) {
    rows.push(cellsOfLine(line, delimiter))
    yield WORD * rows.at(-1).length
  }
  const names = yield* mapped(rows[0], WORD, clean)
  const header = names.some(isHeader)
  const body = header ? rows.slice(1) : rows
  const sample = sampleOf(body)
  const columns = names.map((name, index) => ({
    name: header ? name : String(index + 1),
    sample: sample.map(row => row[index] ?? ''),
    cells: () => body.map(row => row[index] ?? ''),
  }))
  // A list with several IDs on a line is no table.
  if (!header && (yield* areAllOfIds(columns))) return null
  return yield* likeliest(columns, 'column')
}

function* linesOf(text) {
  const lines = yield* mapped(text.matchAll(/[^\n]+/g), WORD, ([line]) => line)
  return lines.filter(line => line.trim() !== '').map(line => line.replace(/\r$/, ''))
}

/** Returns the delimiter of the cells on most lines. */
function* delimiterOf(lines) {
  for (const mark of DELIMITERS) {
    const widths = []
    for (const line of lines) {
      widths.push(cellsOfLine(line, mark).length)
      yield WORD * widths.at(-1)
    }
    const same = widths.filter(width => width === widths[0])
    if (widths[0] > 1 && same.length >= widths.length * 0.9) return mark
  }
  return undefined
}

function* areAllOfIds(columns) {
  for (const { sample } of columns) {
    if ((yield* shareOfIds(sample)) <= 0.8) return false
  }
  return true
}

function cellsOfLine(line, delimiter) {
  if (!line.includes('"')) return line.split(delimiter)
  const cells = line.match(
    new RegExp(
      `(?:"(?:[^"]|"")*"|[^"\\${delimiter}])+|(?<=\\${delimiter}|^)(?=\\${delimiter}|$)`,
      'g',
    ),
  )
  return cells ?? [line]
}

function* likeliest(columns, noun) {
  let best = null
  for (const column of columns) {
    const score = yield* scoreOf(column)
    if (!best || score > best.score) best = { ...column, score }
  }
  if (!best || best.score < 0.5) return null
  return {
    cells: yield* mapped(best.cells(), WORD, clean),
    source: columns.length > 1 ? `the ${noun} “${best.name}”` : undefined,
    beside: best.name,
  }
}

function* scoreOf({ name, sample }) {
  const named = /(^|[^a-z])ids?$/i.test(name) || /[a-z]I[dD]s?$/.test(name)
  return (yield* shareOfIds(sample)) + (/^ids?$/i.test(name) ? 0.2 : named ? 0.1 : 0)
}

/** Returns the share of cells that look like IDs. Small numbers count little. */
function* shareOfIds(sample) {
  const likenesses = yield* mapped(sample.map(clean).filter(Boolean), READING, likeness)
  if (likenesses.length === 0) return 0
  return likenesses.reduce((total, each) => total + each, 0) / likenesses.length
}

function likeness(cell) {
  if (/^-?\d{14,20}$/.test(cell)) return 1
  if (/^-?\d+$/.test(cell)) return 0.6
  // Words also are short texts of some base.
  if (!/\d/.test(cell) && cell.length < 11) return 0
  return readText(cell).readings?.some(({ guesses }) => guesses.length) ? 0.8 : 0
}

function sampleOf(items) {
  const step = Math.max(1, Math.floor(items.length / SAMPLE))
  const length = Math.min(SAMPLE, Math.ceil(items.length / step))
  return Array.from({ length }, (_, index) => items[index * step])
}

/** Returns the forms of the cells, those of most cells first. */
function* formsOf(cells) {
  const votes = new Map()
  const sample = sampleOf(cells)
  for (const cell of sample) {
    const readings = likeness(cell) > 0 ? readText(cell).readings : []
    for (const [index, { form }] of (readings ?? []).entries()) {
      votes.set(form, (votes.get(form) ?? 0) + 1 / (1 + index / 8))
    }
    yield 2 * READING
  }
  // Texts that look like base 62 but never contain 0, O, I or l are most likely base 58.
  if (
    sample.length >= BASE58_FROM &&
    !sample.some(cell => /[0OIl]/.test(cell)) &&
    votes.has('base58')
  ) {
    votes.set('base62', 0)
  }
  const forms = [...votes].sort((a, b) => b[1] - a[1]).map(([form]) => form)
  return forms.length ? forms : ['dec']
}

function* idOf(cell, form) {
  yield WORD
  if (form !== 'dec') {
    const id = readAs(cell, form)
    if (id !== null) return id
  }
  if (/^\d{1,20}$/.test(cell)) {
    const id = BigInt(cell)
    return id < TWO_64 ? id : null
  }
  return readAs(cell, 'dec') ?? (yield* strangerOf(cell))
}

/**
 * Returns the ID of a text in another form than its column's. A short text may be a word instead.
 */
function* strangerOf(cell) {
  if (cell.length < SHORTEST) return null
  yield READING
  const [reading] = readText(cell).readings ?? []
  return reading?.guesses.length ? reading.id : null
}

/** Returns true if a cell is the name of a column. */
function isHeader(cell) {
  return /^[A-Za-z_][\w .-]{0,40}$/.test(cell) && !/\d{4}/.test(cell)
}
