// Jest, with Node's globals and with a browser's: there it looks for `browser`, and requires, or imports
// what is for Node where that is asked for.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)

const TEST = `
test('mints and reads', async () => {
  await init()
  const flake = new Snowflake({ workerId: 7, stateDirectory: STATE })
  const parts = decode(await flake.nextIdAsync(), 'twitter')
  for (const ids of [flake.nextIds(2), await flake.nextIdsAsync(2), new engine.Snowflake({}).issue(2, 1_656_432_460_105)]) {
    expect(ids).toBeInstanceOf(BigUint64Array)
    expect(ids.length).toBe(2)
    expect(JSON.parse(stringify(ids))).toEqual(Array.from(ids, String))
  }
  expect(PublicIdKeys.generate().publicIds('order').decodeMany([])).toBeInstanceOf(BigUint64Array)
  flake.close()
  expect(parts.workerId).toBe(7)
  expect(format(255n, 'hex')).toBe('00000000000000ff')
})
`

const REQUIRED = `const { PublicIdKeys, Snowflake, decode, engine, format, init, stringify } = require('snowmint')\nconst STATE = __dirname\n${TEST}`
const IMPORTED = `
import { PublicIdKeys, Snowflake, decode, engine, format, init, stringify } from 'snowmint'
const STATE = new URL('.', import.meta.url).pathname
${TEST}`
const MODULES = { env: { NODE_OPTIONS: '--experimental-vm-modules' }, file: 'ids.test.mjs', text: IMPORTED }
const CASES = {
  'node': {},
  'jsdom': {},
  'node, as ESM': { ...MODULES, environment: 'node' },
  // As the page about bundlers says.
  'jsdom, as ESM': { ...MODULES, environment: 'jsdom', testEnvironmentOptions: { customExportConditions: ['node'] } },
}

for (const [name, { environment = name, env, file = 'ids.test.js', text = REQUIRED, ...config }] of Object.entries(CASES)) {
  test(`Jest with ${name}`, t => {
    const dir = path.join(here, `jest-${name.replace(/\W+/g, '-')}`)
    t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20 }))
    mkdirSync(dir, { recursive: true })
    const jestConfig = { testMatch: ['**/ids.test.*'], moduleFileExtensions: ['js', 'mjs'], transform: {}, ...config }
    writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ private: true, jest: jestConfig }))
    writeFileSync(path.join(dir, file), text)
    const jest = path.resolve(here, '../node_modules/jest/bin/jest.js')
    const words = [jest, '--rootDir', dir, '--env', environment, '--ci', '--detectOpenHandles', '--watchman=false', '--cacheDirectory', path.join(dir, 'cache')]
    const run = spawnSync(process.execPath, words, { cwd: dir, encoding: 'utf8', env: { ...process.env, ...env } })
    assert.equal(run.status, 0, run.stderr)
    assert.match(run.stderr, /Tests: +1 passed/)
    assert.doesNotMatch(run.stderr, /open handle/)
  })
}
