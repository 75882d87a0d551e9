// Reads many IDs from a pasted text: lines, lists, CSV, JSON, logs and links.

import { readMany as reader } from 'snowmint'
import { WORD } from './slices.js'

/** The number of texts that are read in a step. */
const STEP = 100

/**
 * Returns the IDs of a text:
 * `{ ids, form, forms, source, beside, rejected, rejectedCount, only, problem }`, in the order of the
 * text.
 *
 * - `forms` are the possible forms, the likeliest first. `form` is the first, or `chosen` if given.
 * - `source` is the place where the IDs were found.
 * - `beside` is the text around them, unless the text contains only IDs.
 * - `only` is the text of the only ID among a few other words, in a link or in JSON; otherwise
 *   `null`.
 * - `problem` is a sentence about damaged IDs there.
 *
 * Like all functions that read many words it is a generator, which yields the cost of each step.
 */
export function* readMany(text, chosen, nowMs = Date.now()) {
  const reading = reader(text, chosen, BigInt(nowMs))
  while (reading.step(STEP)) yield STEP * WORD
  return reading.finish(BigInt(nowMs))
}
