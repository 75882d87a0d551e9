// The README's examples, as they stand there, run in a directory of their own.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { root } from '../test/reading.mjs'

const readme = readFileSync(path.join(root, 'packages/npm/README.md'), 'utf8')
const blocks = [...readme.matchAll(/```(js|cjs)\n([^]*?)```/g)]

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

blocks.forEach(([, language, code], at) => {
  test(`README.md: example ${at + 1}`, t => {
    const dir = path.join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, `readme-${at}`)
    t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20 }))
    mkdirSync(dir, { recursive: true })
    const file = path.join(dir, `example.${language === 'js' ? 'mjs' : 'cjs'}`)
    writeFileSync(file, code)
    const env = { ...process.env, XDG_STATE_HOME: dir }
    const run = spawnSync(process.execPath, [file], { cwd: dir, encoding: 'utf8', env })
    assert.equal(run.status, 0, run.stderr)
    for (const [, shown] of code.matchAll(/console\.log\(.*\) *\/\/ (.+)/g)) {
      if (!/…/.test(shown)) assert.ok(run.stdout.includes(shown), `${shown} in ${run.stdout}`)
    }
  })
})
