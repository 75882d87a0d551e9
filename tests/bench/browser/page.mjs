// As much of Node's Buffer as flake-idgen uses, for a page.

export class Buffer extends Uint8Array {
  static alloc(length) {
    return new Buffer(length)
  }

  fill(value, ...rest) {
    return super.fill(value, ...rest)
  }

  writeUInt32BE(value, at) {
    new DataView(this.buffer).setUint32(at, value)
  }

  writeUInt16BE(value, at) {
    new DataView(this.buffer).setUint16(at, value)
  }

  writeUInt8(value, at) {
    this[at] = value
  }
}
