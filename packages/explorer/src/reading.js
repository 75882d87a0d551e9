// What an ID's text may mean: every form it can be read in, the likeliest first.

import { detect, format, guess, parse, textForms } from 'snowmint'
import { aboutWider } from './wider.js'

const TWO_64 = 1n << 64n
const MAX_ID = TWO_64 - 1n
const SAFE = BigInt(Number.MAX_SAFE_INTEGER)
/** More symbols than any ID has, in groups and between quotes. */
const LONGEST = 100
/** Shorter texts without a digit are words, whatever number they would be in some base. */
const WORD_MAX = 13
/** What surrounds an ID in code, JSON and spreadsheets. */
const BEFORE = /[\s"'`“”‘’([{<,;]/
const AFTER = /[\s"'`“”‘’)\]}>,;]/

/** Shorter texts are no IDs of another form than decimal and hexadecimal. */
const SHORTEST = 10
/** What may stand at the end of base32 with a check symbol, besides its digits. */
const CHECK_SYMBOLS = '*~$=U'
const TOO_LONG = 'decimal has up to 20 digits, hexadecimal 16, the other forms 11 to 14.'

/** The forms in the order in which a text is tried, where its looks do not tell. */
const TRIED = [
  'dec',
  'hex',
  'base32',
  'base32-check',
  'base62',
  'base58',
  'base58-flickr',
  'base36',
  'z-base32',
]

/** Why no time is told of a number. */
export const UNLIKELY =
  'No system that is known has such IDs: in each layout the time would lie in the future, before ' +
  'the system was there, or in the first month, where every small number is.'

/** What is meant by each form's name. */
export const FORM_TITLES = {
  'dec': 'decimal',
  'hex': 'hexadecimal',
  'base32': 'base32 (Crockford)',
  'base32-check': 'base32 with a check symbol',
  'z-base32': 'z-base-32',
  'base36': 'base36',
  'base58': 'base58 (Bitcoin)',
  'base58-flickr': 'base58 (Flickr)',
  'base62': 'base62',
}

/** A text without what surrounds an ID in code, JSON and spreadsheets. */
export function clean(text) {
  const plain = text.normalize('NFKC').replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
  const bare = trimmed(plain).replace(/[−–]/g, '-')
  if (bare.length > LONGEST) return bare
  const integer = bare.replace(/^(-?\d+)(n|ul?l?|ll?u?|[ui]64)$/i, '$1')
  return /^-?\d{1,3}([,_'’.   ]\d{3})+$/.test(integer) ? integer.replace(/[^-\d]/g, '') : integer
}

/** Without what surrounds it, one symbol at a time: a pattern for an end is tried at each place. */
function trimmed(text) {
  let [from, to] = [0, text.length]
  while (from < to && BEFORE.test(text[from])) from++
  while (from < to && AFTER.test(text[to - 1])) to--
  return text.slice(from, to)
}

/**
 * The readings of one ID's text: `{ readings: [{ form, id, guesses }], hint }`; `{ wider }`, what an
 * ID of more than 64 bits says; or `{ problem }`, a sentence that says what would be right. `form`
 * names the form to put first, `beside` is the text that it stood in.
 */
export function readText(text, { form, nowMs = Date.now(), beside = '' } = {}) {
  const bare = clean(text)
  const wider = aboutWider(bare)
  if (wider) return { wider }
  const problem = problemOf(bare)
  if (problem) return { problem }
  // For words nothing is guessed: long texts are full of them.
  if (!form && isPlainWord(bare)) return { problem: aboutWord(bare) }
  const readings = TRIED.flatMap(name => {
    const id = readAs(bare, name)
    return id === null ? [] : [{ form: name, id, guesses: guess(id, { now: nowMs, beside }) }]
  })
  if (readings.length === 0) return { problem: unreadable(bare) }
  const isChosen = readings.some(reading => reading.form === form)
  if (!isChosen && isWord(bare, readings)) return { problem: aboutWord(bare) }
  const looks = lookOf(bare)
  const rank = reading =>
    (reading.form === form ? -8 : 0) +
    (reading.form === looks ? -1 : 0) +
    (looks === 'dec' && reading.form === 'dec' ? -4 : 0) +
    (reading.guesses.length ? -2 : 0)
  readings.sort((a, b) => rank(a) - rank(b))
  return { readings, hint: readings[0].form === 'dec' ? hintOf(bare, readings[0].id) : undefined }
}

/** The ID of a text in one form, however it is spelled there; `null` if it is none. */
export function readAs(bare, form) {
  if (bare.length > LONGEST) return null
  for (const spelling of SPELLINGS[form](bare)) {
    if (!mayBe(spelling, form)) continue
    try {
      return parse(spelling, form)
    } catch {
      // Not in this form.
    }
  }
  return null
}

/**
 * Whether a text has the length and the symbols of a form, and is not above 64 bits. Hardly a word
 * of a log has, and an error for each of them in each form would take seconds.
 */
function mayBe(text, form) {
  const { pattern, alphabet, largest } = shapes().get(form)
  return pattern.test(text) && !(text.length === largest.length && isAbove(text, largest, alphabet))
}

function isAbove(text, largest, alphabet) {
  const at = [...largest].findIndex((symbol, index) => symbol !== text[index])
  return at >= 0 && alphabet.indexOf(text[at]) > alphabet.indexOf(largest[at])
}

/** What texts of each form look like: known as soon as the engine is. */
const shapes = once(
  () =>
    new Map(
      textForms().map(({ name, alphabet, width }) => {
        const largest = format(MAX_ID, name)
        const digits = `[${alphabet}]{${width ?? 1},${largest.length}}`
        const checked = `[${alphabet}]{${largest.length - 1}}[${alphabet}${CHECK_SYMBOLS}]`
        const pattern = new RegExp(`^${name === 'base32-check' ? checked : digits}$`)
        return [name, { pattern, alphabet, largest }]
      }),
    ),
)

/** The value of a function that is called when it is first asked for. */
function once(make) {
  let value
  return () => (value ??= make())
}

const asItIs = text => [text]

/** How a text may be spelled where the engine takes only one spelling. */
const SPELLINGS = {
  'dec': text => [decimal(text)],
  'hex': text => {
    const lower = text.toLowerCase()
    const digits = lower.replace(/^0x/, '').replace(/[-_: ]/g, '')
    // Fewer than 16 digits are hexadecimal only where they say so.
    return lower.startsWith('0x') || digits.length === 16 ? [digits.padStart(16, '0')] : []
  },
  'base32': crockford,
  'base32-check': crockford,
  'z-base32': text => [text, text.toLowerCase()],
  'base36': text => [text, text.toLowerCase()],
  'base58': asItIs,
  'base58-flickr': asItIs,
  'base62': asItIs,
}

function crockford(text) {
  const upper = text.toUpperCase().replace(/-/g, '')
  return [upper, upper.replace(/[IL]/g, '1').replace(/O/g, '0')]
}

/** Canonical decimal digits: a negative number is the unsigned one of the same bits. */
function decimal(text) {
  if (!/^-?\d{1,24}$/.test(text)) return text
  const value = BigInt(text)
  return String(value < 0n && value >= -(1n << 63n) ? value + TWO_64 : value)
}

function lookOf(bare) {
  if (/^-?\d+$/.test(bare)) return 'dec'
  if (/^0x/i.test(bare)) return 'hex'
  if (/^[0-9a-f]{16}$/i.test(bare)) return 'hex'
  return detect(bare) ?? detect(bare.toUpperCase())
}

function problemOf(bare) {
  if (bare === '') return 'Paste an ID: its decimal digits, or any other form.'
  if (bare.length > LONGEST) return `This is no ID: it has ${bare.length} symbols. ${TOO_LONG}`
  if (/^-?\d+(\.\d+)?e\+?\d+$/i.test(bare)) {
    return (
      'This number was rounded by a spreadsheet or a program, and the last digits are lost. ' +
      'Copy the ID from where it is kept as text or as an integer.'
    )
  }
  if (/^-?\d+\.\d*$/.test(bare)) {
    return (
      'An ID is an integer. One with a decimal point went through floating point, which ' +
      'keeps 15 to 17 digits: read the column as text.'
    )
  }
  if (/^-?\d+$/.test(bare)) {
    const value = BigInt(bare)
    if (value > MAX_ID) return `Larger than 64 bits. The largest ID is ${MAX_ID}, of 20 digits.`
    if (value < -(1n << 63n)) return `Smaller than 64 bits. The smallest is ${-(1n << 63n)}.`
  }
  return null
}

/**
 * Whether a text is a word or a name rather than an ID: it looks like a word, or no system is likely
 * to have it as an ID.
 */
function isWord(bare, readings) {
  if (/^-?\d+$|^0x/i.test(bare)) return false
  if (isPlainWord(bare)) return true
  return bare.length < SHORTEST && !readings.some(({ guesses }) => guesses.length)
}

/** Whether a text is letters alone, in one case as words have it, and no longer than words are. */
function isPlainWord(bare) {
  if (bare.length >= WORD_MAX || !/^[a-z]+$/i.test(bare)) return false
  const rest = bare.slice(1)
  return rest === rest.toLowerCase() || bare === bare.toUpperCase()
}

function aboutWord(bare) {
  return (
    `“${bare}” looks like a word, no ID: as a number it would be one that no system has. An ID is ` +
    'decimal (up to 20 digits), hexadecimal with 0x in front, or 11 to 14 symbols.'
  )
}

function unreadable(bare) {
  const alphabets = textForms().map(form => form.alphabet)
  const known = ['-', CHECK_SYMBOLS, ...alphabets].join('')
  const stray = [...bare].find(symbol => !known.includes(symbol))
  if (stray) {
    return (
      `${JSON.stringify(stray)} is in no form's alphabet. An ID is decimal (up to 20 digits), ` +
      'hexadecimal, base32, base36, base58 or base62.'
    )
  }
  return bare.length > 14
    ? `Too long for 64 bits: ${TOO_LONG}`
    : 'No form has this text: too large for 64 bits, or with a check symbol that does not match.'
}

/** What is odd about a decimal ID, if anything. */
function hintOf(bare, id) {
  if (bare.startsWith('-')) return `Negative as a signed integer; unsigned it is ${id}.`
  if (isRounded(id)) {
    return (
      'The digits end as JavaScript prints a rounded number: the real ID may differ in the ' +
      'last three. Compare it with the source.'
    )
  }
  return undefined
}

/** Whether an ID has the digits that JavaScript prints of a number it rounded. */
export function isRounded(id) {
  const digits = String(id)
  return id > SAFE && digits.endsWith('00') && String(Number(id)) === digits
}

/** An ID in all text forms, with the names of the page. */
export function formsOf(id) {
  const forms = textForms().map(({ name, width, sortable }) => {
    const notes = [width && `always ${width} symbols`, sortable && 'sorts as the number does']
    return {
      title: FORM_TITLES[name],
      text: format(id, name),
      note: notes.filter(Boolean).join(', '),
    }
  })
  const signed = BigInt.asIntN(64, id)
  if (signed < 0n) {
    const negative = {
      title: 'signed decimal',
      text: String(signed),
      note: 'as a BIGINT or long shows it',
    }
    forms.splice(1, 0, negative)
  }
  return forms
}
