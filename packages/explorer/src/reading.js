// The possible meanings of an ID's text: every form that can read it, the likeliest first.

import { detect, format, guess, parse, textForms } from 'snowmint'
import { aboutWider } from './wider.js'

const TWO_64 = 1n << 64n
const MAX_ID = TWO_64 - 1n
const SAFE = BigInt(Number.MAX_SAFE_INTEGER)
/** A length above any ID's, also in groups and between quotes. */
const LONGEST = 100
/** Shorter texts without a digit are words, whatever number they would be in some base. */
const WORD_MAX = 13
/** The symbols around an ID in code, JSON and spreadsheets. */
const BEFORE = /[\s"'`“”‘’([{<,;]/
const AFTER = /[\s"'`“”‘’)\]}>,;]/

/** Shorter texts are IDs only in decimal and hexadecimal. */
const SHORTEST = 10
/** The check symbols that may end base32, besides its digits. */
const CHECK_SYMBOLS = '*~$=U'
const TOO_LONG = 'decimal has up to 20 digits, hexadecimal 16, the other forms 11 to 14.'

/**
 * A public ID of a type, in base32 or base64: the type, the symbol of the key, and 128 bits.
 * Its other forms, a UUID and a number, look like any UUID and any number.
 */
const PUBLIC_ID =
  /^([a-z](?:[a-z0-9_]{0,30}[a-z0-9])?)_[0-9a-hjkmnp-tv-z](?:[0-7][0-9a-hjkmnp-tv-z]{25}|([\w-]{21}[AQgw]))$/

/** The order in which forms are tried if the look of a text shows none. */
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

/** The reason for showing no time of a number. */
export const UNLIKELY =
  'No system that is known has such IDs: in each layout the time would lie in the future, before ' +
  'the system was there, or in the first day, where every small number is.'

/** The title of each form. */
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

/** Returns a text without the symbols that surround an ID in code, JSON and spreadsheets. */
export function clean(text) {
  const plain = text.normalize('NFKC').replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
  const bare = trimmed(plain).replace(/[−–]/g, '-')
  if (bare.length > LONGEST) return bare
  const integer = bare.replace(/^(-?\d+)(n|ul?l?|ll?u?|[ui]64)$/i, '$1')
  return /^-?\d{1,3}([,_'’.   ]\d{3})+$/.test(integer) ? integer.replace(/[^-\d]/g, '') : integer
}

/**
 * Removes the surrounding symbols one at a time, because a regular expression for the end would be
 * tried at each place.
 */
function trimmed(text) {
  let [from, to] = [0, text.length]
  while (from < to && BEFORE.test(text[from])) from++
  while (from < to && AFTER.test(text[to - 1])) to--
  return text.slice(from, to)
}

/**
 * Returns the readings of one ID's text as `{ readings: [{ form, id, guesses }], hint }`. For an ID
 * of more than 64 bits it returns `{ wider }`, and for other texts `{ problem }`, a sentence with
 * the remedy. `form` is the form to put first, and `beside` is the text around the ID.
 */
export function readText(text, { form, nowMs = Date.now(), beside = '' } = {}) {
  const bare = clean(text)
  const wider = aboutWider(bare)
  if (wider) return { wider }
  const problem = problemOf(bare)
  if (problem) return { problem }
  // Words are not guessed, because long texts are full of them.
  if (!form && isPlainWord(bare)) return { problem: aboutWord(bare) }
  const readings = TRIED.flatMap(name => {
    const id = readAs(bare, name)
    return id === null ? [] : [{ form: name, id, guesses: guessesOf(id, { now: nowMs, beside }) }]
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

/** Returns the guesses of an ID, but those of a layout's first month: as numbers, words are there. */
function guessesOf(id, options) {
  return guess(id, options).filter(({ doubt }) => doubt !== 'young')
}

/** Returns the ID of a text in one form, in any of its spellings, or `null` if there is none. */
export function readAs(bare, form) {
  if (bare.length > LONGEST) return null
  for (const spelling of SPELLINGS[form](bare)) {
    if (!mayBe(spelling, form)) continue
    try {
      return parse(spelling, form)
    } catch {
      // The text is not in this form.
    }
  }
  return null
}

/**
 * Returns true if a text has the length and the symbols of a form, and is not above 64 bits. Few
 * words of a log pass, and an error for each word in each form would take seconds.
 */
function mayBe(text, form) {
  const { pattern, alphabet, largest } = shapes().get(form)
  return pattern.test(text) && !(text.length === largest.length && isAbove(text, largest, alphabet))
}

function isAbove(text, largest, alphabet) {
  const at = [...largest].findIndex((symbol, index) => symbol !== text[index])
  return at >= 0 && alphabet.indexOf(text[at]) > alphabet.indexOf(largest[at])
}

/** The pattern of each form's texts, which is known once the engine is loaded. */
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

/** Returns a function that computes a value at the first call, and keeps it. */
function once(make) {
  let value
  return () => (value ??= make())
}

const asItIs = text => [text]

/** The spellings of a text to try, for forms of which the engine takes only one spelling. */
const SPELLINGS = {
  'dec': text => [decimal(text)],
  'hex': text => {
    const lower = text.toLowerCase()
    const digits = lower.replace(/^0x/, '').replace(/[-_: ]/g, '')
    // Fewer than 16 digits are hexadecimal only with 0x in front.
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

/**
 * Returns canonical decimal digits. A negative number becomes the unsigned one of the same bits.
 */
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
 * Returns true if a text is a word or a name rather than an ID: it looks like a word, or no system
 * is likely to have it as an ID.
 */
function isWord(bare, readings) {
  if (/^-?\d+$|^0x/i.test(bare)) return false
  if (isPlainWord(bare)) return true
  return bare.length < SHORTEST && !readings.some(({ guesses }) => guesses.length)
}

/**
 * Returns true if a text consists of letters, in the case of a word, and is no longer than words
 * are.
 */
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

function aboutWords(bare) {
  return (
    `“${bare.replace(/\s+/g, ' ')}” looks like several words, no ID. An ID is decimal (up to 20 ` +
    'digits), hexadecimal, or 11 to 14 symbols.'
  )
}

/** Returns a sentence about a public ID, or `null` for other texts. */
function aboutPublicId(bare) {
  const [, type, base64] = PUBLIC_ID.exec(bare) ?? []
  if (!type) return null
  const form = base64 ? ' --form base64url' : ''
  return (
    `This looks like a public ID of the type “${type}”. Only the keys that made it can read it, and ` +
    'this page has none. Where the keys are, run: ' +
    `snowmint public-ids decode --keys keys.toml --type ${type}${form} ${bare}`
  )
}

function unreadable(bare) {
  const publicId = aboutPublicId(bare)
  if (publicId) return publicId
  if (/\s/.test(bare)) return aboutWords(bare)
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

/** Returns what is odd about a decimal ID, if anything. */
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

/** Returns true if an ID has the digits that JavaScript prints of a number that it rounded. */
export function isRounded(id) {
  const digits = String(id)
  return id > SAFE && digits.endsWith('00') && String(Number(id)) === digits
}

/** Returns an ID in all text forms, with the page's names of the forms. */
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
