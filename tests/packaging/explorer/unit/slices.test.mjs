// Long texts: no error for each word that is none, and no slice with more than its share of words.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SnowmintError, format, parse, textForms } from 'snowmint'
import { readMany } from '../src/columns.js'
import { factsOf } from '../src/facts.js'
import { readText } from '../src/reading.js'
import { SLICE, finish, makeSlices, slice } from '../src/slices.js'

const LINE = '2026-11-26T02:44:44Z INFO request handled in 12 ms by worker 7 path=/a/b status=200'
const ID = 1541815603606036480n
const IDS = Array.from({ length: 20_000 }, (_, index) => ID + BigInt(index) * 123_456_789n)
const LONG = {
  'a log': Array(3600).fill(LINE).join('\n'),
  'a log on one line': Array(3600).fill(LINE).join(' '),
  'a log with IDs': IDS.slice(0, 1200)
    .map(id => `${LINE} order=${id}`)
    .join('\n'),
  'prose': 'Independent extraordinary circumstances, of understanding; and HYPERVENTILATE. '.repeat(2000),
  'words with a digit': '1a '.repeat(60_000),
  'short words': 'a, '.repeat(60_000),
  'a table': `n,id\n${IDS.map((id, index) => `${index},${id}`).join('\n')}`,
  'two lines of many columns': `${'1,'.repeat(30_000)}1\n${'2,'.repeat(30_000)}2`,
  'JSON of many keys': `{${IDS.map((id, index) => `"k${index}": "${id}"`).join()}}`,
  'a link': `https://example.com/${IDS.join('/')}`,
}

/** Counts the errors that are made while `work` runs. */
function errorsIn(work) {
  let made = 0
  const parent = Object.getPrototypeOf(SnowmintError)
  class Counted extends parent {
    constructor(...given) {
      super(...given)
      made++
    }
  }
  Object.setPrototypeOf(SnowmintError, Counted)
  try {
    work()
  } finally {
    Object.setPrototypeOf(SnowmintError, parent)
  }
  return made
}

test('errors are counted here', () => {
  assert.equal(
    errorsIn(() => new SnowmintError('unsupported', 'one')),
    1,
  )
})

for (const [name, text] of Object.entries(LONG)) {
  test(`no error for any word: ${name}`, () => {
    assert.equal(
      errorsIn(() => finish(readMany(text))),
      0,
    )
  })
}

for (const name of ['a log', 'a log on one line', 'prose', 'words with a digit', 'short words', 'a table', 'a link']) {
  test(`it is read in slices: ${name}`, () => {
    const work = readMany(LONG[name])
    let [slices, done] = [0, false]
    for (; !done; slices++) ({ done } = slice(work))
    assert.ok(slices > 3, `${slices} slices`)
  })
}

test('what is told of many IDs is told in slices as well', () => {
  const work = factsOf(BigUint64Array.from(IDS), { chosen: 'twitter', nowMs: Date.UTC(2026, 0) })
  let [slices, step] = [0, {}]
  for (; !step.done; slices++) step = slice(work)
  assert.ok(slices > (8 * IDS.length) / SLICE, `${slices} slices`)
  assert.equal(step.value.own.length, IDS.length)
})

test('whatever the engine reads in a form is read, up to the largest ID', () => {
  for (const { name, alphabet } of textForms()) {
    const largest = format((1n << 64n) - 1n, name)
    const texts = [largest, largest.slice(1), `${largest}${alphabet[0]}`]
    for (const symbol of [...alphabet, ...'IiLlOoUu*~$=']) {
      for (const length of [1, 5, 10, 11, 13, 14, 16, 20]) texts.push(symbol.repeat(length))
      texts.push(...[0, 4, largest.length - 1].map(at => largest.slice(0, at) + symbol + largest.slice(at + 1)))
    }
    for (const text of texts) {
      const id = parsed(text, name)
      if (id !== null) assert.equal(readText(text, { form: name }).readings?.[0].id, id, `${text} as ${name}`)
    }
  }
})

function parsed(text, form) {
  try {
    return parse(text, form)
  } catch {
    return null
  }
}

test('short work is done at once, and new work ends what was under way', async () => {
  function* counting(steps, label) {
    for (let step = 0; step < steps; step++) {
      ran[label] = step + 1
      yield SLICE
    }
    return label
  }
  const ran = {}
  const slices = makeSlices()
  const taken = []
  slices.run(counting(0, 'short'), label => taken.push(label))
  assert.deepEqual(taken, ['short'])
  slices.run(counting(50, 'first'), label => taken.push(label))
  assert.deepEqual([ran.first, taken], [1, ['short']])
  await new Promise(done => slices.run(counting(3, 'second'), label => done(taken.push(label))))
  slices.run(counting(50, 'third'), label => taken.push(label))
  slices.cancel()
  await new Promise(done => slices.run(counting(2, 'last'), label => done(taken.push(label))))
  assert.deepEqual(taken, ['short', 'second', 'last'])
  assert.deepEqual([ran.first, ran.third], [1, 1])
})
