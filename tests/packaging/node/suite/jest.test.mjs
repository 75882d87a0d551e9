// Jest, with Node's globals and with a browser's: there it looks for `browser`, and requires.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)

const SUITE = `
const { Snowflake, decode, format, init } = require('snowmint')

test('mints and reads', async () => {
  await init()
  const flake = new Snowflake({ worker: 7, stateDirectory: __dirname })
  const parts = decode(await flake.nextIdAsync(), 'twitter')
  flake.close()
  expect(parts.workerId).toBe(7)
  expect(format(255n, 'hex')).toBe('00000000000000ff')
})
`

for (const environment of ['node', 'jsdom']) {
  test(`Jest with ${environment}`, t => {
    const dir = path.join(here, `jest-${environment}`)
    t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20 }))
    mkdirSync(dir, { recursive: true })
    writeFileSync(path.join(dir, 'package.json'), '{ "private": true }')
    writeFileSync(path.join(dir, 'ids.test.js'), SUITE)
    const jest = path.resolve(here, '../node_modules/jest/bin/jest.js')
    const words = [jest, '--rootDir', dir, '--env', environment, '--ci', '--runInBand', '--watchman=false', '--cacheDirectory', path.join(dir, 'cache')]
    const run = spawnSync(process.execPath, words, { cwd: dir, encoding: 'utf8' })
    assert.equal(run.status, 0, run.stderr)
    assert.match(run.stderr, /Tests: +1 passed/)
  })
}
