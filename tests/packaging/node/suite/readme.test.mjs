// The README's examples, as they stand there, run in a directory of their own.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { root } from '../test/reading.mjs'

const readme = readFileSync(path.join(root, 'packages/npm/README.md'), 'utf8')
// A new file, in the working directory, in the place of the one that they name.
const all = [...readme.replaceAll('/var/lib/shop/ids.db', 'ids.db?create=true').matchAll(/```(js|cjs)\n([^]*?)```/g)]
// testing.test.mjs gives the tests among them to their runners.
const blocks = all.filter(([, , code]) => !code.startsWith('// ids.test.js'))

test('every package has the licences of what is in it', () => {
  const modules = path.join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../node_modules')
  const addons = readdirSync(path.join(modules, '@snowmint')).map(name => path.join('@snowmint', name))
  for (const name of ['snowmint', ...addons]) {
    for (const file of ['MIT', 'APACHE', 'THIRD-PARTY']) {
      assert.ok(existsSync(path.join(modules, name, `LICENSE-${file}`)), `${name}: ${file}`)
    }
  }
})

test('there are examples', () => assert.ok(blocks.length >= 5))

function run(t, at) {
  const [, language, code] = blocks[at]
  const dir = path.join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, `readme-${at}`)
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 20 })
  remove() // A run that was killed may have left it behind.
  t.after(remove)
  mkdirSync(dir)
  const file = path.join(dir, `example.${language === 'js' ? 'mjs' : 'cjs'}`)
  writeFileSync(file, code)
  const env = { ...process.env, XDG_STATE_HOME: dir }
  const again = () => spawnSync(process.execPath, [file], { cwd: dir, encoding: 'utf8', env })
  return { ...again(), dir, again }
}

const makesKeys = code => code.includes('toToml()')

blocks.forEach(([, , code], at) => {
  test(`README.md: example ${at + 1}`, t => {
    const { status, stdout, stderr, again } = run(t, at)
    assert.equal(status, 0, stderr)
    if (!makesKeys(code)) {
      const second = again()
      assert.equal(second.status, 0, second.stderr)
    }
    for (const [, shown] of code.matchAll(/console\.log\(.*\) *\/\/ (.+)/g)) {
      if (!/…/.test(shown)) assert.ok(stdout.includes(shown), `${shown} in ${stdout}`)
    }
  })
})

test('the example that makes keys leaves those that are there', t => {
  const { dir, again } = run(t, blocks.findIndex(([, , code]) => makesKeys(code)))
  const keys = path.join(dir, 'keys.toml')
  const [before, { mode }] = [readFileSync(keys, 'utf8'), statSync(keys)]
  const second = again()
  assert.match(second.stderr, /EEXIST/)
  assert.equal(readFileSync(keys, 'utf8'), before)
  assert.equal(mode & 0o777, 0o600)
})
