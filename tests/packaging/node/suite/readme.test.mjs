// The README's examples run as they stand, in a directory of their own.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { root } from '../test/reading.mjs'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)
const readme = readFileSync(path.join(root, 'packages/npm/README.md'), 'utf8')
// A new file, in the working directory, in the place of the one that they name.
const text = readme.replaceAll('/var/lib/shop/ids.db', 'ids.db?create=true')
const examples = [...text.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code)

test('every package has the licences of its parts', () => {
  const modules = path.join(here, '../node_modules')
  const addons = readdirSync(path.join(modules, '@snowmint')).map(name => path.join('@snowmint', name))
  for (const name of ['snowmint', ...addons]) {
    for (const file of ['MIT', 'APACHE', 'THIRD-PARTY']) {
      assert.ok(existsSync(path.join(modules, name, `LICENSE-${file}`)), `${name}: ${file}`)
    }
  }
})

test('there are examples', () => assert.equal(examples.length, 3))

examples.forEach((code, at) => {
  test(`README.md: example ${at + 1}, twice`, t => {
    const dir = path.join(here, `readme-${at}`)
    const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 20 })
    remove() // A run that was killed may have left it behind.
    t.after(remove)
    mkdirSync(dir)
    writeFileSync(path.join(dir, 'example.mjs'), code)
    for (let count = 0; count < 2; count++) {
      const env = { ...process.env, XDG_STATE_HOME: dir }
      const { status, stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], { cwd: dir, encoding: 'utf8', env })
      assert.equal(status, 0, stderr)
      for (const [, shown] of code.matchAll(/console\.log\(.*\) *\/\/ (.+)/g)) assert.ok(stdout.includes(shown), stdout)
    }
  })
})
