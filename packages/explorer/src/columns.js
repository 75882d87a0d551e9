// Many IDs out of a pasted text: lines, lists, CSV, JSON, logs and links.

import { clean, readAs, readText } from './reading.js'

/** How many cells are looked at to tell what a column holds. */
const SAMPLE = 200
/** The most rejected texts that are kept to be shown. */
const REJECTED_MAX = 20
/** Texts with fewer symbols are no IDs of another form than their column's. */
const SHORTEST = 10
/** From how many cells on the symbols that are missing tell a form. */
const BASE58_FROM = 8
/** How much of a link has its host. */
const HOST_MAX = 300
/** In how many cells a single ID is looked for. */
const AROUND_MAX = 100
const DELIMITERS = ['\t', ';', ',', '|']
const TWO_64 = 1n << 64n

/**
 * The IDs of a text: `{ ids, form, forms, source, beside, rejected, rejectedCount }`, in the order of
 * the text. `forms` are those they may be in, the likeliest first, unless `chosen` names one; `source`
 * says where they were found, and `beside` what stood there, unless the text is nothing but IDs.
 */
export function readMany(text, chosen) {
  const { cells, source, beside } = cellsOf(text)
  const forms = formsOf(cells)
  const form = chosen ?? forms[0]
  const ids = new BigUint64Array(cells.length)
  const rejected = []
  let [count, rejectedCount] = [0, 0]
  cells.forEach((cell, index) => {
    const id = idOf(cell, form)
    if (id !== null) {
      ids[count++] = id
    } else {
      rejectedCount++
      if (rejected.length < REJECTED_MAX) rejected.push({ place: index + 1, text: cell })
    }
  })
  if (count > 0 && rejected[0]?.place === 1 && isHeader(rejected[0].text)) {
    rejected.shift()
    rejectedCount--
  }
  return { ids: ids.slice(0, count), form, forms, source, beside, rejected, rejectedCount }
}

/** The only ID among other words, in a link or in JSON, as it stands there; else `null`. */
export function onlyIdOf(text) {
  const { cells } = cellsOf(text)
  if (cells.length > AROUND_MAX) return null
  const [form] = formsOf(cells)
  const found = cells.filter(cell => idOf(cell, form) !== null)
  return found.length === 1 ? found[0] : null
}

/** The texts that may be IDs, and where they stood. */
export function cellsOf(text) {
  if (clean(text).match(/^-?\d+$/)) return { cells: [clean(text)] }
  const trimmed = text.trim()
  if (/^https?:\/\//.test(trimmed)) return linkCells(trimmed)
  if (/^[[{]/.test(trimmed)) {
    const keyed = keyedCells(trimmed)
    if (keyed) return keyed
  }
  const table = tableCells(trimmed)
  if (table) return table
  const tokens = trimmed
    .split(/[\s,;|[\]]+/)
    .map(clean)
    .filter(Boolean)
  if (shareOfIds(tokens) >= 0.5) return { cells: tokens }
  const runs = trimmed.match(/(?<![\w.])\d{15,20}(?![\w.])/g)
  return runs
    ? { cells: runs, source: 'the numbers of 15 to 20 digits in the text' }
    : { cells: tokens }
}

function linkCells(text) {
  const numbers = text.split(/[\s/?&=#]+/).filter(part => /^\d{1,20}$/.test(part))
  // Links say where they were shared as well: `?s=20`.
  const long = numbers.filter(number => number.length > SHORTEST)
  const cells = long.length > 0 ? long : numbers
  return { cells, source: 'the numbers of the link', beside: text.slice(0, HOST_MAX) }
}

/** The values of the JSON key that holds most IDs. */
function keyedCells(text) {
  const columns = new Map()
  for (const [, key, string, number] of text.matchAll(
    /"([^"\\]*)"\s*:\s*(?:"([^"\\]*)"|(-?\d+)(?![.\deE]))/g,
  )) {
    if (!columns.has(key)) columns.set(key, [])
    columns.get(key).push(string ?? number)
  }
  return likeliest(
    [...columns].map(([name, cells]) => ({ name, cells })),
    'key',
  )
}

/** The column of a table with a delimiter that holds most IDs. */
function tableCells(text) {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  if (lines.length < 2) return null
  const delimiter = DELIMITERS.find(mark => {
    const widths = lines.slice(0, SAMPLE).map(line => cellsOfLine(line, mark).length)
    return (
      widths[0] > 1 && widths.filter(width => width === widths[0]).length >= widths.length * 0.9
    )
  })
  if (!delimiter) return null
  const rows = lines.map(line => cellsOfLine(line, delimiter))
  const header = rows[0].some(cell => isHeader(clean(cell)))
  const body = header ? rows.slice(1) : rows
  const columns = rows[0].map((name, index) => ({
    name: header ? clean(name) : String(index + 1),
    cells: body.map(row => row[index] ?? ''),
  }))
  // A list with several IDs a line is no table.
  if (!header && columns.every(({ cells }) => shareOfIds(cells) > 0.8)) return null
  return likeliest(columns, 'column')
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

function likeliest(columns, noun) {
  const ranked = columns
    .map(column => ({ ...column, score: scoreOf(column) }))
    .sort((a, b) => b.score - a.score)
  if (!ranked[0] || ranked[0].score < 0.5) return null
  const { name, cells } = ranked[0]
  return {
    cells: cells.map(clean),
    source: columns.length > 1 ? `the ${noun} “${name}”` : undefined,
    beside: name,
  }
}

function scoreOf({ name, cells }) {
  const named = /(^|[^a-z])ids?$/i.test(name) || /[a-z]I[dD]s?$/.test(name)
  return shareOfIds(cells) + (/^ids?$/i.test(name) ? 0.2 : named ? 0.1 : 0)
}

/** The share of cells that look like IDs; small numbers count little. */
function shareOfIds(cells) {
  const sample = sampleOf(cells).map(clean).filter(Boolean)
  if (sample.length === 0) return 0
  const sum = sample.reduce((total, cell) => total + likeness(cell), 0)
  return sum / sample.length
}

function likeness(cell) {
  if (/^-?\d{14,20}$/.test(cell)) return 1
  if (/^-?\d+$/.test(cell)) return 0.6
  // Words are short texts of some base as well.
  if (!/\d/.test(cell) && cell.length < 11) return 0
  return readText(cell).readings?.some(({ guesses }) => guesses.length) ? 0.8 : 0
}

function sampleOf(cells) {
  const step = Math.max(1, Math.floor(cells.length / SAMPLE))
  return cells.filter((_, index) => index % step === 0).slice(0, SAMPLE)
}

/** The forms that cells are in, those of most cells first. */
function formsOf(cells) {
  const votes = new Map()
  const sample = sampleOf(cells)
  for (const cell of sample.filter(cell => likeness(cell) > 0)) {
    for (const [index, { form }] of (readText(cell).readings ?? []).entries()) {
      votes.set(form, (votes.get(form) ?? 0) + 1 / (1 + index / 8))
    }
  }
  // What looks like base 62 but never has 0, O, I or l is hardly by chance without them.
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

function idOf(cell, form) {
  if (form !== 'dec') {
    const id = readAs(cell, form)
    if (id !== null) return id
  }
  if (/^\d{1,20}$/.test(cell)) {
    const id = BigInt(cell)
    return id < TWO_64 ? id : null
  }
  return readAs(cell, 'dec') ?? strangerOf(cell)
}

/** The ID of a text that is in another form than its column; a short one may as well be a word. */
function strangerOf(cell) {
  const reading = cell.length < SHORTEST ? null : readText(cell).readings?.[0]
  return reading?.guesses.length ? reading.id : null
}

/** Whether a cell is a column's name. */
function isHeader(cell) {
  return /^[A-Za-z_][\w .-]{0,40}$/.test(cell) && !/\d{4}/.test(cell)
}
