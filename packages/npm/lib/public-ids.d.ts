// Public IDs: the form of IDs that outsiders see.

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
 * The keys of public IDs. Nothing is stored: with the keys you can compute an ID from its public
 * form. Without them the form looks random. Only in Node: in a browser, which must not have keys,
 * this throws `unsupported`.
 *
 * Keys do not change once opened. They belong to the thread that opened them: each worker thread
 * opens its own. They are zeroed when this object and all its {@link PublicIds} are collected.
 */
export declare class PublicIdKeys {
  private constructor()
  /**
   * Reads keys from the file at a path, or from the environment variable of `env:NAME`. `env:`
   * alone means `SNOWMINT_PUBLIC_ID_KEYS`. On Unix the file must belong to this user or root, and
   * nobody else may read it. This call reads at once, so call it at the start of the program. A
   * document given instead of a place is refused, and no message repeats it.
   *
   * @throws SnowmintError `invalid_keys`, `keys_exposed`, `invalid_parameter` for the realm
   */
  static open(source: string): PublicIdKeys
  /**
   * Reads the same document, TOML or JSON, from memory, for example from a secret manager.
   *
   * @throws SnowmintError `invalid_keys`, `invalid_parameter` for the realm
   */
  static fromBytes(document: Uint8Array): PublicIdKeys
  /**
   * Creates one new random key, with the symbol `1`, for tests. `snowmint public-ids keygen` makes
   * a file.
   *
   * @throws SnowmintError `no_resource`
   */
  static generate(): PublicIdKeys
  /** The realm, which separates these IDs from others under the same keys; empty by default. */
  readonly realm: string
  /** The symbols of all keys. */
  readonly symbols: readonly string[]
  /** The symbol of the key that makes new public IDs. */
  readonly current: string
  /** The symbol of the key for numbers; `null` if several keys could be meant. */
  readonly numbers: string | null
  /**
   * Returns the public IDs of one type. A type is 1 to 32 lower-case letters, digits and
   * underscores. No other type can read them. Keep the result: this call derives keys.
   *
   * @throws SnowmintError `invalid_parameter`, `unknown_text_form`
   */
  publicIds(type: string, form?: PublicIdForm): PublicIds
  /** Returns the document with these keys, for a file that only its owner may read. */
  toToml(): string
}

/**
 * The public IDs of one type. An ID has one public ID, which stays the same as long as the current
 * key stays. A public ID is no permission.
 */
export declare class PublicIds {
  private constructor()
  /** The type. */
  readonly type: string
  /** The form. */
  readonly form: PublicIdForm
  /**
   * Returns the public form of an ID.
   *
   * @throws SnowmintError only for numbers: `invalid_parameter` for an ID that has more bits,
   * `invalid_keys` if several keys could be meant
   */
  encode(id: Id): string
  /**
   * Returns the ID of a public form.
   *
   * @throws SnowmintError `not_found` if no ID has this form, without a reason. `wrong_type`,
   * `text_length`, `invalid_text`, `text_not_canonical` for faults that anybody can see in the
   * text. For numbers also `text_overflow`, and `invalid_keys` if several keys could be meant.
   */
  decode(text: string): bigint
  /** Returns the public forms of many IDs. An error's message contains the index. */
  encodeMany(ids: BigUint64Array | Iterable<Id>): string[]
  /**
   * Returns the IDs of many public forms. Throws the error of the first wrong form, with its index.
   */
  decodeMany(texts: Iterable<string>): Ids
  /**
   * Returns an ID as a number of 64, 63 or 53 bits, whatever the form. A number of 53 bits is exact
   * as a `number`.
   *
   * @throws SnowmintError `invalid_parameter`, `invalid_keys`
   */
  encodeNumber(id: Id, bits: 64 | 63 | 53): bigint
  /**
   * Returns the ID of such a number. Each number has an ID, so a made-up number is not detected.
   */
  decodeNumber(number: bigint | number, bits: 64 | 63 | 53): bigint
}
