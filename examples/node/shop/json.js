/** Parses JSON. An integer that a number would round becomes a string. */
export function parseExactly(text) {
  return JSON.parse(text.replace(/"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g, token =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token))
}
