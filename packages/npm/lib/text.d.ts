// IDs as text, and in JSON.

import type { Id } from './layout.js'

/** The name of a text form. */
export type TextForm =
  | 'dec' | 'hex' | 'base32' | 'base32-check' | 'z-base32' | 'base36' | 'base58' | 'base58-flickr'
  | 'base62'

/**
 * An ID as text; decimal unless told otherwise.
 *
 * @throws SnowmintError `unknown_text_form`
 */
export declare function format(id: Id, form?: TextForm): string
/**
 * The ID of a text. Besides what {@link format} writes, spellings are taken that can mean only one
 * ID: padded with zeros, and in the other case where the form has one. Without a form the text's
 * look tells it ({@link detect}).
 *
 * @throws SnowmintError `unknown_text_form`, also where the look tells no form; `invalid_text`,
 * `text_length`, `text_overflow`, `text_check`
 */
export declare function parse(text: string, form?: TextForm): bigint
/**
 * The form that a text most likely has, or `null`. A guess: z-base-32, base 36 and base 58 are never
 * guessed, nor base 62 where base 58 writes the same text.
 */
export declare function detect(text: string): TextForm | null
/** Every text form. */
export declare function textForms(): ReadonlyArray<{
  readonly name: TextForm
  /** The digits' symbols, that of 0 first. */
  readonly alphabet: string
  /** The number of symbols, where it is always the same. */
  readonly width: number | null
  /** Whether texts sort as their numbers. */
  readonly sortable: boolean
}>

/** For `JSON.stringify`: writes `bigint`s as strings, and arrays of them such as `nextIds` gives as lists. */
export declare function replacer(key: string, value: unknown): unknown
/** `JSON.stringify` with {@link replacer}. */
export declare function stringify(value: unknown): string
