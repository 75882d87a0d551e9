// No input freezes the page: what takes a quarter of a minute at 60 kB would take days at these sizes.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** Far more than it takes on any machine, and far less than what grows with the square. */
const PATIENCE_MS = 600_000

const SCRIPT = `
  const { clean, readText } = await import('./src/reading.js')
  const { cellsOf, onlyIdOf, readMany } = await import('./src/columns.js')
  const { parseEnd, parseMoment } = await import('./src/moments.js')
  const { readHash, unpackIds } = await import('./src/state.js')
  const { isLayout } = await import('./src/views/decode.js')
  const SIZE = 2_000_000
  const pieces = [
    ' ', '\\n', '\\t', '"', "'", '(', ')', '{', '}', '[', ']', ',', ';', '7', '0', 'z', '-', '1,', '1 ', '" ',
    '{"', '"":', '"a" ', '": ', '\\u00a0', '\\ufeff', '－', '𝟙', '%20', '.', ':', 'é', '"",', ',"', '|"',
  ].map(piece => JSON.parse('"' + piece.replaceAll('"', '\\\\"') + '"'))
  const texts = pieces.flatMap(piece => {
    const long = piece.repeat(SIZE / piece.length)
    return [long, 'x' + long + 'x', '{"id":' + long, 'https://x.com/' + long, '7' + long + '\\n7' + long]
  })
  for (const text of texts) {
    for (const read of [clean, readText, cellsOf, onlyIdOf, readMany, isLayout]) read(text)
    for (const read of [parseMoment, parseEnd]) read(text, 0)
    for (const view of ['decode?id=', 'many?ids=', 'design?fields=', 'range?from=']) readHash('#' + view + text)
    unpackIds(text)
  }
  console.log(texts.length)`

test('texts of two million symbols, of every kind that is looked for', () => {
  const words = ['--input-type=module', '-e', SCRIPT]
  const run = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: PATIENCE_MS })
  assert.equal(run.status, 0, run.stderr || String(run.error ?? run.signal))
  assert.ok(Number(run.stdout) > 100, run.stdout)
})
