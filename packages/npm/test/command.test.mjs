// `npx snowmint`, as it is installed.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { version } from 'snowmint'

import { directory } from './reading.mjs'

function run(dir, ...words) {
  const env = { ...process.env, XDG_STATE_HOME: dir, HOME: dir }
  const { status, stdout, stderr } = spawnSync('npx', ['--no-install', 'snowmint', ...words], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

test('npx snowmint mints from the user\'s own file', t => {
  const dir = directory(t)
  const ids = [[], ['id', '-n', '3'], ['id', '-n', '2', '--format', 'base32']].flatMap(words => {
    const { status, stdout, stderr } = run(dir, ...words)
    assert.equal(status, 0, stderr)
    return stdout.trimEnd().split('\n')
  })
  assert.equal(ids.length, 6)
  assert.ok(ids.slice(0, 4).every(id => /^\d{18,19}$/.test(id)), ids)
  assert.ok(ids.slice(4).every(id => /^[0-9A-Z]{13}$/.test(id)), ids)
  assert.equal(new Set(ids).size, 6)
  assert.ok(existsSync(path.join(dir, 'snowmint/ids.db')))
})

test('npx snowmint id with a URL', t => {
  const { stdout } = run(directory(t), 'id', 'uuid:?version=7', '-n', '2')
  assert.match(stdout, /^([0-9a-f-]{36}\n){2}$/)
})

test('npx snowmint decode says what an ID may be, and what it is in a layout', t => {
  const dir = directory(t)
  const guessed = run(dir, 'decode', '175928847299117063').stdout
  assert.match(guessed, /^175928847299117063 may be, likeliest first:\n {2}twitter .*\n {2}discord /)
  const named = run(dir, 'decode', '175928847299117063', '--beside', 'guild_id').stdout
  assert.match(named, /first:\n {2}discord +2016-04-30T11:18:25\.796Z {2}worker 1 {2}process 0 {2}sequence 7 {2}\(named\)/)
  const told = run(dir, 'decode', '--layout', 'discord', '175928847299117063').stdout
  assert.equal(told, '175928847299117063  2016-04-30T11:18:25.796Z  worker 1  process 0  sequence 7\n')
  assert.match(run(dir, 'layouts').stdout, /^cosid-js-ms .*epoch_ms=1577203200/m)
})

test('npx snowmint says what is wrong', t => {
  const dir = directory(t)
  const cases = [
    [['nosuch'], 2, /no command nosuch/],
    [['id', '-n', 'x'], 2, /-n takes a number/],
    [['id', '--nosuch'], 2, /nosuch/],
    [['decode'], 2, /needs an ID/],
    [['decode', '12345'], 1, /name its layout/],
    [['decode', 'hello!'], 1, /name the form/],
    [['id', 'nosuch:'], 1, /nosuch/],
  ]
  for (const [words, status, message] of cases) {
    const found = run(dir, ...words)
    assert.deepEqual([found.status, found.stdout], [status, ''], found.stderr)
    assert.match(found.stderr, message)
    assert.doesNotMatch(found.stderr, / at .*:\d+:\d+/)
  }
  assert.equal(run(dir, '--version').stdout, `snowmint ${version}\n`)
  assert.match(run(dir, '--help').stdout, /^Usage: npx snowmint/)
})
