// What flake-idgen takes from Node, for a page: as much of Buffer as it uses.

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
