// One ID's text: what the reader's vectors say, with guesses, and the forms of an ID.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { format, textForms } from 'snowmint'
import { readMany } from '../src/columns.js'
import { formsOf, readText } from '../src/reading.js'
import { finish } from '../src/slices.js'

const TWEET = 1541815603606036480n
const nowMs = Date.UTC(2026, 0)
const first = (text, options) => readText(text, { nowMs, ...options }).readings[0]

const vectorsOf = name =>
  JSON.parse(readFileSync(path.join(process.env.SNOWMINT_ROOT, 'tests/vectors', name), 'utf8'))

/** What is shown of a text, by the kind of its vector. */
const SHOWN = {
  id: (text, options) => {
    const { readings, hint } = readText(text, options)
    return { form: readings[0].form, ids: [readings[0].id], sentence: hint }
  },
  uncertain: (text, options) => ({
    forms: readText(text, options).readings.map(({ form }) => form),
  }),
  ids: (text, { nowMs: now }) => {
    const { ids, beside, problem } = finish(readMany(text, undefined, now))
    return { ids: [...ids], beside, sentence: problem }
  },
  other: (text, options) => {
    const { kind, unixMs } = readText(text, options).wider
    return { name: kind, unix_ms: unixMs }
  },
  problem: (text, options) => ({ sentence: readText(text, options).problem }),
}

test('every text is read as the vectors say', () => {
  const { now_ms: now, readings } = vectorsOf('readings.json')
  assert.ok(readings.length > 80)
  for (const { text, kind, sentence, ...vector } of readings) {
    const { sentence: told, ...facts } = SHOWN[kind](text, { nowMs: Number(now) })
    for (const [name, value] of Object.entries(facts)) {
      const wanted = vector[name] ?? null
      const plain = Array.isArray(value) ? value.map(String) : value === null ? null : String(value)
      assert.deepEqual(plain, wanted, `${name} of ${text}`)
    }
    // The time of a damaged ID follows the sentence.
    if (kind !== 'other') assert.ok((told ?? '').startsWith(sentence ?? ''), `${told} of ${text}`)
  }
})

test('what can still be known of a rounded ID is told', () => {
  assert.match(readText('1.2E+18', { nowMs }).problem, /The ID was between 1150000000000000000 and /)
})

test('every form of an ID is among its readings, and can be put first', () => {
  for (const { name: form } of textForms()) {
    const text = format(TWEET, form)
    assert.deepEqual(first(text, { form }), first(text, { form }), form)
    assert.equal(first(text, { form }).id, TWEET, form)
    assert.ok(
      readText(text, { nowMs }).readings.some(
        reading => reading.form === form && reading.id === TWEET,
      ),
      form,
    )
  }
})

test('Crockford takes I and L for 1, O for 0', () => {
  assert.equal(first('IASDL3XHLF8OO', { form: 'base32' }).id, TWEET)
})

test('a text that looks like two forms is read in the one that gives a plausible ID', () => {
  const { readings } = readText(format(TWEET, 'z-base32'), { nowMs })
  assert.equal(readings[0].form, 'z-base32')
  assert.ok(readings.length > 1)
})

test('words are no IDs, unless a form is chosen', () => {
  for (const text of ['hello', 'HELLO', 'Hello', 'abc', 'worker7', 'internation']) {
    assert.match(readText(text, { nowMs }).problem, /looks like a word, no ID/, text)
  }
  assert.equal(first('hello', { form: 'base36' }).id, 29234652n)
  assert.equal(first('0xff').id, 255n)
  assert.equal(first('12345').id, 12345n)
  assert.deepEqual(first('12345').guesses, [])
})

test('public IDs are named, with the command that reads them', () => {
  const { ids } = vectorsOf('opaque.json')
  assert.ok(ids.length > 30)
  for (const { type, token, base64url } of ids) {
    for (const [text, option] of [
      [token, ''],
      [base64url, ' --form base64url'],
    ]) {
      const { problem } = readText(text, { nowMs })
      const command = `snowmint public-ids decode --keys keys.toml --type ${type}${option} ${text}`
      assert.ok(problem.startsWith(`This looks like a public ID of the type "${type}".`), problem)
      assert.ok(problem.endsWith(`run: ${command}`), problem)
    }
  }
})

test('what stands beside an ID counts', () => {
  const discord = '175928847299117063'
  assert.equal(first(discord, { beside: 'https://discord.com/channels/' }).guesses[0].name, 'discord')
  assert.equal(first(discord).guesses[0].named, false)
})

test('all forms of an ID read back, the signed one where it is negative', () => {
  const forms = formsOf(TWEET)
  assert.equal(forms.length, textForms().length)
  for (const { text } of forms) {
    assert.ok(
      readText(text, { nowMs }).readings.some(({ id }) => id === TWEET),
      text,
    )
  }
  assert.equal(
    formsOf(1n << 63n).find(({ title }) => title === 'signed decimal').text,
    '-9223372036854775808',
  )
})
