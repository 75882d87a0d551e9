'use strict'
// What others wrote, as it can be shown.

/** Text of others as one line that does nothing to a terminal or a log. */
function escaped(text) {
  const hex = sign => `\\u{${sign.codePointAt(0).toString(16)}}`
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, hex)
}

/** What a thrown value says, whatever it is: looking at it may throw as well. */
function said(value, key = 'message') {
  try {
    return String(value?.[key] ?? value)
  } catch {
    return 'what it threw cannot be shown'
  }
}

/** The same, behind the name of the error. */
function described(value) {
  try {
    return value instanceof Error ? `${value.name}: ${said(value)}` : said(value)
  } catch {
    return said(value)
  }
}

module.exports = { described, escaped, said }
