#!/usr/bin/env node
'use strict'
// `npx snowmint`: mints and reads IDs, and makes the tables of a store, with this package. The binary
// of the same name can do more.

const { parseArgs } = require('node:util')
const snowmint = require('./index.js')

const HELP = `Usage: npx snowmint [COMMAND]

  id [URL]        mints IDs [-n COUNT] [--format FORM]; without a URL from your own ids.db
  decode ID…      what IDs say [--layout LAYOUT] [--beside TEXT] [--format FORM]
  layouts [NAME]  lists the layouts, or one
  migrate URL     makes the tables of a store, or begins its key space [--dry-run] [--json]
  --version, -V   says the version
  --help, -h      says this

Without a command it is id, of a URL too. --beside is what stood beside an ID, such as guild_id or its link.
--dry-run prints the SQL that would run, and changes nothing. --json prints the place, its state and the SQL.
The binary of that name has more commands, such as segment create, which makes a tag.
`
const OPTIONS = {
  count: { type: 'string', short: 'n', default: '1' },
  format: { type: 'string' },
  layout: { type: 'string' },
  beside: { type: 'string', default: '' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  version: { type: 'boolean', short: 'V' },
  help: { type: 'boolean', short: 'h' },
}
const COMMANDS = { id: mint, decode, layouts, migrate, help: () => write([HELP.trimEnd()]) }
/**
 * The exit statuses of errors, by the hundreds of their numbers, and the exceptions. They are the
 * same as the binary's.
 */
const STATUSES = { 1: 2, 2: 3, 3: 2, 4: 2, 5: 3, 6: 4, 7: 2, 8: 2 }
const STATUSES_OF = {
  epoch_in_future: 3,
  layout_expired: 3,
  count_out_of_range: 2,
  range_regressed: 4,
  tag_exhausted: 3,
  tag_moved: 4,
  no_resource: 4,
}
/** Hints for messages that name commands of the binary. */
const HINTS = {
  unknown_tag: "a program makes a tag by (await Store.open('sqlite:ids.db')).ensureTag('orders'); the binary has " +
    '`segment create` for it, and this command has not',
}
/** The count of IDs that are written at a time. */
const BLOCK = 4096

/** Resolves once the reader has room for more. */
function write(lines) {
  return new Promise((resolve, reject) => {
    const done = error => (error ? reject(error) : resolve())
    process.stdout.write(lines.map(line => `${line}\n`).join(''), done)
  })
}

async function mint([url, ...more], { count, format }) {
  if (more.length > 0) throw new TypeError('one URL is enough')
  const wanted = Number(count)
  if (!/^\d+$/.test(count) || !Number.isSafeInteger(wanted) || wanted < 1) {
    throw new RangeError(`-n takes a number of IDs, not ${count}`)
  }
  const source = await (url === undefined ? snowmint.open() : snowmint.open(url))
  try {
    // Opening has waited for the first numbers. If there are none, nothing waits a second time.
    if (source instanceof snowmint.Segment) await source.ready(0)
    for (let left = wanted; left > 0; left -= BLOCK) {
      const lines = []
      try {
        await take(source, Math.min(left, BLOCK), format, lines)
      } finally {
        await write(lines)
      }
    }
  } finally {
    await source.closeAsync?.()
  }
}

/**
 * Adds lines one by one. IDs taken before an error are written too, because nobody else gets them.
 */
async function take(source, count, format, lines) {
  if (source.nextIdAsync) {
    while (lines.length < count) lines.push(snowmint.format(await source.nextIdAsync(), format))
    return
  }
  if (source.nextUuid) {
    if (format === undefined) {
      while (lines.length < count) lines.push(source.nextUuid())
      return
    }
    throw new snowmint.SnowmintError('unsupported', 'a UUID has one text form: leave --format out')
  }
  throw new snowmint.SnowmintError('unsupported', 'each key has a sequence, and none is of all: a program asks by nextAsync(key)')
}

async function decode(texts, { layout, beside, format }) {
  if (texts.length === 0) throw new TypeError('decode needs an ID')
  const known = layout === undefined ? undefined : snowmint.Layout.of(layout)
  for (const text of texts) {
    try {
      const id = snowmint.parse(text, format)
      await write(known ? [`${id}  ${said(known, known.decode(id))}`] : guesses(id, beside))
    } catch (error) {
      if (error.number === undefined) throw error
      // The other IDs may be right.
      fail(error)
    }
  }
}

/** Returns lines with the possible meanings of an ID, likely ones first. */
function guesses(id, beside) {
  const found = snowmint.guess(id, { beside })
  const [first] = found
  // This throws the reason.
  if (!first) snowmint.decode(id, { beside })
  const rows = found.map(({ name, named, doubt, layout, parts }) => {
    const marks = [named && 'named', doubt].filter(Boolean).map(mark => `  (${mark})`)
    return `  ${name.padEnd(18)}  ${said(layout, parts)}${marks.join('')}`
  })
  const head = first.doubt === null ? 'may be, likeliest first:' : 'is likely of none, but may be:'
  return [`${id} ${head}`, ...rows]
}

function said(layout, { time, unixMs, workerId, sequence, rollback }) {
  const own = Object.entries({ ...layout.workerParts(workerId), sequence, ...(rollback ? { rollback } : {}) })
  const when = Number.isNaN(time.getTime()) ? `${unixMs} ms` : time.toISOString()
  return [when, ...own.map(([name, value]) => `${name} ${value}`)].join('  ')
}

function layouts([wanted, ...more]) {
  if (more.length > 0) throw new TypeError('one layout is enough')
  const presets = snowmint.Layout.presets()
  const named = presets.filter(({ name }) => wanted === undefined || name === wanted)
  // This parses the user's own layout, or throws the reason.
  const rows = named.length > 0 ? named : [{ name: 'custom', note: '', layout: snowmint.Layout.of(wanted) }]
  return write(rows.map(({ name, note, layout }) => (
    `${name.padEnd(18)}  ${layout.text.padEnd(50)}  ${note}`.trimEnd()
  )))
}

async function migrate([url, ...more], { 'dry-run': dryRun, json }) {
  if (url === undefined || more.length > 0) throw new TypeError('migrate needs the URL of one store')
  const { place, state, keySpace = null, statements, report } = await snowmint.migrate(url, { dryRun })
  await write([json ? JSON.stringify({ place, state, key_space: keySpace, statements }) : report])
}

async function main() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.version) return write([`snowmint ${snowmint.version}`])
  if (values.help) return COMMANDS.help()
  const [first = 'id', ...others] = positionals
  const [name, ...rest] = first.includes(':') ? ['id', ...positionals] : [first, ...others]
  if (!Object.hasOwn(COMMANDS, name)) throw new TypeError(`there is no command ${name}`)
  return COMMANDS[name](rest, values)
}

// The failed write reports the error.
process.stdout.on('error', () => {})

function statusOf({ code, number }) {
  return STATUSES_OF[code] ?? STATUSES[Math.floor(number / 100)] ?? 1
}

function fail(error) {
  const isUsage = error instanceof TypeError || error instanceof RangeError
  const code = error.number === undefined ? '' : `[${error.code}]`
  const hint = Object.hasOwn(HINTS, error.code) ? `hint: ${HINTS[error.code]}\n` : ''
  process.stderr.write(`error${code}: ${error.message}\n${hint}${isUsage ? `\n${HELP}` : ''}`)
  process.exitCode = isUsage ? 2 : statusOf(error)
}

main().catch(error => {
  // The reader has enough, for example in `npx snowmint id -n 1000000 | head`.
  if (error.code !== 'EPIPE') fail(error)
})
