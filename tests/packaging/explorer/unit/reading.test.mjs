// One ID's text: every form, however it is spelled, and what is said of what is none.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { format, textForms } from 'snowmint'
import { isoOf } from '../src/moments.js'
import { clean, formsOf, readText } from '../src/reading.js'

const TWEET = 1541815603606036480n
const nowMs = Date.UTC(2026, 0)
const first = (text, options) => readText(text, { nowMs, ...options }).readings[0]

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

test('what surrounds an ID in code, JSON and spreadsheets is left out', () => {
  for (const text of [
    '1541815603606036480',
    ' 1541815603606036480\n',
    '"1541815603606036480"',
    "'1541815603606036480',",
    '`1541815603606036480`',
    '1541815603606036480n',
    '1541815603606036480L',
    '1541815603606036480u64',
    '1,541,815,603,606,036,480',
    '1 541 815 603 606 036 480',
    '1_541_815_603_606_036_480',
    '“1541815603606036480”',
    '\ufeff1541815603606036480',
    '(1541815603606036480)',
    '１５４１８１５６０３６０６０３６４８０',
    '0x1565A11F6217A000',
    '0x1565a11f6217a000',
    '1565A11F6217A000',
    '1asd13xh1f800',
    '1ASD-13XH-1F800',
  ])
    assert.equal(first(text).id, TWEET, JSON.stringify(text))
})

test('Crockford takes I and L for 1, O for 0', () => {
  assert.equal(first('IASDL3XHLF8OO', { form: 'base32' }).id, TWEET)
})

test('a negative decimal is the unsigned number of the same bits', () => {
  const { readings, hint } = readText('-1', { nowMs })
  assert.equal(readings[0].id, (1n << 64n) - 1n)
  assert.match(hint, /unsigned it is 18446744073709551615/)
  assert.equal(first('-9223372036854775808').id, 1n << 63n)
  assert.equal(first('−5').id, (1n << 64n) - 5n)
})

test('limits, and one past them', () => {
  assert.equal(first('18446744073709551615').id, (1n << 64n) - 1n)
  assert.match(
    readText('18446744073709551616').problem,
    /Larger than 64 bits.*18446744073709551615/,
  )
  assert.match(readText('-9223372036854775809').problem, /Smaller than 64 bits/)
  assert.equal(first('0').id, 0n)
})

test('a text that looks like two forms is read in the one that gives a plausible ID', () => {
  const { readings } = readText(format(TWEET, 'z-base32'), { nowMs })
  assert.equal(readings[0].form, 'z-base32')
  assert.ok(readings.length > 1)
})

test('what went through a spreadsheet or a float is named', () => {
  assert.match(readText('1.541815603606E+18').problem, /rounded/)
  assert.match(readText('1541815603606036480.0').problem, /floating point/)
  assert.match(readText('1541815603606036500').hint, /rounded/)
  assert.equal(readText('1541815603606036480').hint, undefined)
})

const wider = text => {
  const { wider: found, problem } = readText(text)
  assert.equal(problem, undefined, text)
  return [found.name, found.unixMs === null ? null : isoOf(found.unixMs), found.bits]
}

test('UUIDs are answers, with their time where they have one', () => {
  const v7 = ['UUID of version 7', '2023-06-30T03:34:18.518Z', 128]
  assert.deepEqual(wider('01890a5d-ac96-774b-bcce-b302099a8057'), v7)
  assert.deepEqual(wider('urn:uuid:01890A5D-AC96-774B-BCCE-B302099A8057'), v7)
  assert.deepEqual(wider('{3f2504e0-4f89-41d3-9a0c-0305e82c3301}'), ['UUID of version 4', null, 128])
  // These two are from RFC 9562.
  assert.deepEqual(wider('C232AB00-9414-11EC-B3C8-9F6BDECED846'), ['UUID of version 1', '2022-02-22T19:22:22Z', 128])
  assert.deepEqual(wider('1EC9414C-232A-6B00-B3C8-9F6BDECED846'), ['UUID of version 6', '2022-02-22T19:22:22Z', 128])
})

test('so are ULIDs, and IDs of MongoDB', () => {
  const ulid = ['ULID', '2016-07-30T23:54:10.259Z', 128]
  assert.deepEqual(wider('01ARZ3NDEKTSV4RRFFQ69G5FAV'), ulid)
  assert.deepEqual(wider('01arz3ndektsv4rrffq69g5fav'), ulid)
  assert.deepEqual(wider('507f1f77bcf86cd799439011'), ['ObjectId of MongoDB', '2012-10-17T21:13:27Z', 96])
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

test('several words are no ID', () => {
  for (const text of ['hello world', 'Hello, world!', 'größe und gewicht', 'one\ntwo\tthree']) {
    assert.match(readText(text, { nowMs }).problem, /looks like several words, no ID/, text)
  }
  assert.match(readText('one\n two', { nowMs }).problem, /^“one two” looks like/)
  assert.equal(first('1565 A11F 6217 A000').id, TWEET)
})

test('public IDs are named, with the command that reads them', () => {
  const vectors = JSON.parse(
    readFileSync(path.join(process.env.SNOWMINT_ROOT, 'tests/vectors/opaque.json'), 'utf8'),
  )
  assert.ok(vectors.ids.length > 30)
  for (const { type, token, base64url } of vectors.ids) {
    for (const [text, option] of [
      [token, ''],
      [base64url, ' --form base64url'],
    ]) {
      const { problem } = readText(text, { nowMs })
      const command = `snowmint public-ids decode --keys keys.toml --type ${type}${option} ${text}`
      assert.ok(problem.startsWith(`This looks like a public ID of the type “${type}”.`), problem)
      assert.ok(problem.endsWith(`run: ${command}`), problem)
    }
  }
  const { token } = vectors.ids[0]
  for (const text of [token.slice(0, -1), `${token}0`, token.toUpperCase(), `_${token}`, 'order_1']) {
    assert.match(readText(text, { nowMs }).problem, /"_" is in no form's alphabet/, text)
  }
})

test('what stands beside an ID counts', () => {
  const discord = '175928847299117063'
  assert.equal(first(discord, { beside: 'https://discord.com/channels/' }).guesses[0].name, 'discord')
  assert.equal(first(discord).guesses[0].named, false)
})

test('nonsense is answered with what would be right', () => {
  assert.match(readText('').problem, /Paste an ID/)
  assert.match(readText('größe').problem, /"ö" is in no form's alphabet/)
  assert.match(readText('zzzzzzzzzzzzzzzzzzzz').problem, /Too long/)
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

test('clean leaves other texts alone', () => {
  assert.equal(clean('4aaW4SzAyQK'), '4aaW4SzAyQK')
  assert.equal(clean('12,34'), '12,34')
})
