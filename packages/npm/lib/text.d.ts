// IDs as text, and in JSON.

import type { Id } from './layout.js'

/** The name of a text form. */
export type TextForm =
  | 'dec' | 'hex' | 'base32' | 'base32-check' | 'z-base32' | 'base36' | 'base58' | 'base58-flickr'
  | 'base62'

/**
 * Returns an ID as text, by default decimal.
 *
 * @throws SnowmintError `unknown_text_form`
 */
export declare function format(id: Id, form?: TextForm): string
/**
 * Returns the ID that a text spells. It accepts what {@link format} writes, and other spellings
 * that can mean only one ID: padded with zeros, or in the other case if the form has cases. Without
 * a form, {@link detect} chooses it.
 *
 * @throws SnowmintError `unknown_text_form`, also if no form is detected; `invalid_text`,
 * `text_length`, `text_overflow`, `text_check`
 */
export declare function parse(text: string, form?: TextForm): bigint
/**
 * Returns the form that a text most likely has, or `null`. This is a guess: z-base-32, base 36 and
 * base 58 are never guessed, nor is base 62 if base 58 writes the same text.
 */
export declare function detect(text: string): TextForm | null
/** Returns every text form. */
export declare function textForms(): ReadonlyArray<{
  readonly name: TextForm
  /** The symbols of the digits, from 0 up. */
  readonly alphabet: string
  /** The number of symbols, if it is constant. */
  readonly width: number | null
  /** True if texts sort like their numbers. */
  readonly sortable: boolean
}>

/**
 * For `JSON.stringify`: writes `bigint`s as strings, and arrays of them, such as those of
 * `nextIds`, as lists.
 */
export declare function replacer(key: string, value: unknown): unknown
/** Calls `JSON.stringify` with {@link replacer}. */
export declare function stringify(value: unknown): string
