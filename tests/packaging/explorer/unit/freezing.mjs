// Reads long texts of every kind that the page looks for; prints how many those were.

import { readMany } from '../src/columns.js'
import { parseEnd, parseMoment } from '../src/moments.js'
import { readText } from '../src/reading.js'
import { finish } from '../src/slices.js'
import { readHash, unpackIds } from '../src/state.js'
import { isLayout } from '../src/views/decode.js'

const SIZE = Number(process.argv[2])
const PIECES = [
  ...' \n\t"\'(){}[],;70z-.:é\u00a0\ufeff－𝟙',
  ...['1,', '1 ', '" ', '{"', '"":', '"a" ', '": ', '%20', '",', ',"', '|"', '\\"', '12_', '1e'],
]
const VIEWS = ['decode?id=', 'many?ids=', 'design?fields=', 'range?from=', 'compare?a=']

function around(long) {
  return [long, `x${long}x`, `{"id":${long}`, `https://x.com/${long}`, `7${long}\n7${long}`]
}

let count = 0
for (const piece of PIECES) {
  for (const text of around(piece.repeat(SIZE / piece.length))) {
    for (const read of [readText, isLayout]) read(text)
    finish(readMany(text))
    for (const read of [parseMoment, parseEnd]) read(text, 0)
    for (const view of VIEWS) readHash(`#${view}${text}`)
    unpackIds(text)
    count++
  }
}
console.log(count)
