'use strict'
// What others wrote, as it can be shown.

/** Text of others as one line that does nothing to a terminal or a log. */
function escaped(text) {
  const hex = sign => `\\u{${sign.codePointAt(0).toString(16)}}`
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, hex)
}

module.exports = { escaped }
