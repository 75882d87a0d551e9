// The tests of an application on the page about testing, run by Vitest and by Jest.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { root } from '../test/reading.mjs'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)
const lines = readFileSync(path.join(root, 'examples/node/testing/ids.test.js'), 'utf8')
const modules = path.resolve(here, '../node_modules')

/** Runs the tests in a project of their own. */
function run(t, name, code, words, environment = {}) {
  const dir = path.join(here, `testing-${name}`)
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20 }))
  mkdirSync(dir, { recursive: true })
  const jest = { testMatch: ['**/ids.test.js'], transform: {} }
  writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ private: true, type: 'module', jest }))
  writeFileSync(path.join(dir, 'ids.test.js'), code)
  const env = { ...process.env, NO_COLOR: '1', ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: dir, encoding: 'utf8', env })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout + stderr, /Tests:? +3 passed/)
}

test('under Vitest', t => {
  run(t, 'vitest', lines, [path.join(modules, 'vitest/vitest.mjs'), 'run', '--root', '.'])
})

test('under Jest', t => {
  const imported = "{ afterEach, beforeEach, expect, jest, test } from '@jest/globals'"
  const code = lines.replace("{ afterEach, beforeEach, expect, test, vi } from 'vitest'", imported).replace(/\bvi\./g, 'jest.')
  assert.ok(code.includes(imported))
  const words = [path.join(modules, 'jest/bin/jest.js'), '--rootDir', '.', '--ci', '--watchman=false', '--cacheDirectory', 'cache']
  run(t, 'jest', code, words, { NODE_OPTIONS: '--experimental-vm-modules' })
})
