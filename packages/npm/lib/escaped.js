'use strict'
// Makes texts from others safe to show.

/** Returns a text from others as one line that cannot control a terminal or a log. */
function escaped(text) {
  const hex = sign => `\\u{${sign.codePointAt(0).toString(16)}}`
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, hex)
}

/** Returns the text of any thrown value. Reading it may throw as well. */
function said(value, key = 'message') {
  try {
    return String(value?.[key] ?? value)
  } catch {
    return 'what it threw cannot be shown'
  }
}

/** Returns the text of a thrown value, after the name of the error. */
function described(value) {
  try {
    return value instanceof Error ? `${value.name}: ${said(value)}` : said(value)
  } catch {
    return said(value)
  }
}

module.exports = { described, escaped, said }
