// The possible meanings of an ID's text: every form that can read it, the likeliest first. The rules
// are those of the reader in the module, which the command line and the service have as well.

import { format, guess, isRounded, readOne, textForms } from 'snowmint'

export { isRounded }

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

/**
 * Returns the readings of one ID's text as `{ readings: [{ form, id, guesses }], hint }`. For an ID
 * that is no 64-bit number it returns `{ wider: { kind, name, bits, unixMs, note } }`, and for other
 * texts `{ problem }`, a sentence with the remedy. `form` is the form to put first, and `beside` is
 * the text around the ID.
 */
export function readText(text, { form, nowMs = Date.now(), beside = '' } = {}) {
  const { readings, note, other, problem } = readOne(text, form, BigInt(nowMs))
  if (other) return { wider: other }
  if (!readings) return { problem }
  const guessed = readings.map(reading => ({
    ...reading,
    guesses: guessesOf(reading.id, { now: nowMs, beside }),
  }))
  return { readings: guessed, hint: note }
}

/** Returns the guesses of an ID, but those of a layout's first month: as numbers, words are there. */
function guessesOf(id, options) {
  return guess(id, options).filter(({ doubt }) => doubt !== 'young')
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
