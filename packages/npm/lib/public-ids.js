'use strict'
// Public IDs: the form of IDs that outsiders see.

const native = require('./native.js')
const check = require('./arguments.js')
const { withCode } = require('./errors.js')
const { inspectable } = require('./inspected.js')
const { OPENED } = require('./layout.js')

const { tryEncode, tryDecode } = native.publishing()

class PublicIdKeys {
  #keys
  #facts

  constructor(token, keys) {
    if (token !== OPENED) throw withCode(new TypeError('use PublicIdKeys.open(source)'))
    this.#keys = keys
    const { symbols, numbers = null, ...facts } = native.publicIdKeysFacts(keys)
    this.#facts = { ...facts, symbols: Object.freeze(symbols), numbers }
  }

  static open(source) {
    return new PublicIdKeys(OPENED, native.openPublicIdKeys(check.text(source, 'source')))
  }

  static fromBytes(document) {
    const bytes = check.hidden(document, 'the document')
    // Memory that other threads may write is copied first.
    const isShared = bytes.buffer[Symbol.toStringTag] === 'SharedArrayBuffer'
    return new PublicIdKeys(OPENED, native.readPublicIdKeys(isShared ? new Uint8Array(bytes) : bytes))
  }

  static generate() {
    return new PublicIdKeys(OPENED, native.generatePublicIdKeys())
  }

  get realm() {
    return this.#facts.realm
  }

  get symbols() {
    return this.#facts.symbols
  }

  get current() {
    return this.#facts.current
  }

  get numbers() {
    return this.#facts.numbers
  }

  publicIds(type, form = 'token') {
    const ids = native.publicIds(this.#keys, check.text(type, 'type'), check.text(form, 'form'))
    return new PublicIds(OPENED, { type, form, ...ids })
  }

  toToml() {
    return native.publicIdKeysToml(this.#keys)
  }
}

class PublicIds {
  #handle
  // Kept because the addon gives up the keys when it is collected.
  #guard
  #type
  #form

  constructor(token, { handle, guard, type, form } = {}) {
    if (token !== OPENED) throw withCode(new TypeError('use PublicIdKeys.open(source).publicIds(type)'))
    this.#handle = handle
    this.#guard = guard
    this.#type = type
    this.#form = form
  }

  get type() {
    return this.#type
  }

  get form() {
    return this.#form
  }

  encode(id) {
    return tryEncode(this.#handle, id) ?? native.encodePublic(this.#handle, check.id(id))
  }

  decode(text) {
    return tryDecode(this.#handle, text) ?? native.decodePublic(this.#handle, check.text(text, 'text'))
  }

  encodeMany(ids) {
    const numbers = ids instanceof BigUint64Array ? ids : BigUint64Array.from(check.each(ids, 'ids', check.id))
    return native.encodePublics(this.#handle, numbers)
  }

  decodeMany(texts) {
    const list = check.each(texts, 'texts', text => check.text(text, 'text'))
    return native.decodePublics(this.#handle, list)
  }

  encodeNumber(id, bits) {
    return native.encodeNumber(this.#handle, check.id(id), check.narrow(bits, 'bits'))
  }

  decodeNumber(number, bits) {
    const wide = check.unsigned(number, 'the number')
    return native.decodeNumber(this.#handle, wide, check.narrow(bits, 'bits'))
  }
}

// The shown facts contain no key.
inspectable(PublicIdKeys, ({ realm, symbols, current }) => ({ realm, symbols, current }))
inspectable(PublicIds, ({ type, form }) => ({ type, form }))

module.exports = { PublicIdKeys, PublicIds }
