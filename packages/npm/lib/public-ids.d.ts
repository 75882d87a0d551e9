// Public IDs: what the outside sees in place of an ID.

import type { Id, Ids } from './layout.js'

/**
 * A public form of IDs:
 * - `token`: the type, `_`, the key's symbol and 26 symbols of Crockford's base 32 in lower case;
 * - `base64url`: the same with 22 symbols of base64 for URLs;
 * - `uuid`: a UUID of version 8;
 * - `number64`, `number63`, `number53`: decimal digits of a number of so many bits. It is not checked:
 *   each number is read as some ID.
 */
export type PublicIdForm = 'token' | 'base64url' | 'uuid' | 'number64' | 'number63' | 'number53'

/**
 * Keys that IDs are made public by. Nothing is stored: whoever has the keys computes an ID from its
 * public form, and to everybody else that is as good as random. In Node alone: keys have no place in a
 * browser, where this throws `unsupported`.
 *
 * Keys do not change once opened, and belong to the thread that opened them: each worker thread opens
 * its own. They are zeroed when this, and all {@link PublicIds} of it, are collected.
 */
export declare class PublicIdKeys {
  private constructor()
  /**
   * Reads keys from a file, by its path, or from an environment variable, by `env:NAME`; `env:` alone
   * is `SNOWMINT_PUBLIC_ID_KEYS`. On Unix the file is this user's or root's, and nobody else may read it.
   * It is read at once: open at the start. A document in the place of its path or variable is
   * refused, and no message repeats it.
   *
   * @throws SnowmintError `invalid_keys`, `keys_exposed`, `invalid_parameter` of a realm
   */
  static open(source: string): PublicIdKeys
  /**
   * Reads the same document, TOML or JSON, from memory, where another keeper of secrets put it.
   *
   * @throws SnowmintError `invalid_keys`, `invalid_parameter` of a realm
   */
  static fromBytes(document: Uint8Array): PublicIdKeys
  /**
   * One new random key, with the symbol `1`: for tests. `snowmint public-ids keygen` makes a file.
   *
   * @throws SnowmintError `no_resource`
   */
  static generate(): PublicIdKeys
  /** What keeps these IDs apart from others under the same keys; empty unless the document has one. */
  readonly realm: string
  /** The symbols of all keys. */
  readonly symbols: readonly string[]
  /** The symbol of the key that makes what is new. */
  readonly current: string
  /** The symbol of the key that numbers have; `null` where several could be meant. */
  readonly numbers: string | null
  /**
   * What IDs of one type look like from outside. A type is 1 to 32 small letters, digits and
   * underscores; another type reads none of them. Keep what is given: keys are derived here.
   *
   * @throws SnowmintError `invalid_parameter`, `unknown_text_form`
   */
  publicIds(type: string, form?: PublicIdForm): PublicIds
  /** The document of these keys, for a file that only its owner may read. It has the keys. */
  toToml(): string
}

/**
 * The public IDs of one type. An ID has one, the same each time, as long as the current key stays.
 * A public ID is no permission.
 */
export declare class PublicIds {
  private constructor()
  /** The type. */
  readonly type: string
  /** The form. */
  readonly form: PublicIdForm
  /**
   * The public form of an ID.
   *
   * @throws SnowmintError of numbers alone: `invalid_parameter` of an ID that has more bits,
   * `invalid_keys` where several keys could be meant
   */
  encode(id: Id): string
  /**
   * The ID of a public form.
   *
   * @throws SnowmintError `not_found` where no ID has it, and it is not told why; of what anybody can
   * see in the text `wrong_type`, `text_length`, `invalid_text`, `text_not_canonical`; of numbers
   * `text_overflow`, and `invalid_keys` where several keys could be meant
   */
  decode(text: string): bigint
  /** The public forms of many IDs. The message of an error has the index. */
  encodeMany(ids: BigUint64Array | Iterable<Id>): string[]
  /** The IDs of many public forms, or the error of the first that is none, with its index. */
  decodeMany(texts: Iterable<string>): Ids
  /**
   * An ID as a number of 64, 63 or 53 bits, whatever the form; one of 53 is exact as a `number`.
   *
   * @throws SnowmintError `invalid_parameter`, `invalid_keys`
   */
  encodeNumber(id: Id, bits: 64 | 63 | 53): bigint
  /** The ID of such a number. Each number has one: a made-up number is not told from others. */
  decodeNumber(number: bigint | number, bits: 64 | 63 | 53): bigint
}
