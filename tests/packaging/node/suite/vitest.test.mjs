// Vitest, with a browser's globals too: packages come from Node, and the build for browsers by an alias.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)

const TEST = `
import { expect, test } from 'vitest'
import { Snowflake, backend, decode, init, stringify } from 'snowmint'

test('mints and reads', async () => {
  await init()
  expect(typeof window).toBe('object')
  const ids = new BigUint64Array(2).fill(1541815603606036480n)
  expect(decode(ids[0]).name).toBe('twitter')
  expect(stringify(ids)).toBe('["1541815603606036480","1541815603606036480"]')
  expect(backend).toBe(BACKEND)
  const flake = new Snowflake({ ...WORKER })
  expect(flake.nextIds(2)).toBeInstanceOf(BigUint64Array)
  flake.close()
})
`
// The second is as the page about bundlers says.
const CASES = {
  native: [{}, "{ workerId: 7, stateDirectory: new URL('.', import.meta.url).pathname }"],
  wasm: [{ alias: { snowmint: 'snowmint/inline' } }, "{ workerId: 'random' }"],
}

function run(t, name, config, text) {
  const dir = path.join(here, `vitest-${name}`)
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20 }))
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, 'package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(path.join(dir, 'vitest.config.js'), `export default ${JSON.stringify({ test: { environment: 'jsdom', ...config } })}`)
  writeFileSync(path.join(dir, 'ids.test.js'), text)
  const vitest = path.resolve(here, '../node_modules/vitest/vitest.mjs')
  const env = { ...process.env, NO_COLOR: '1', NODE_TEST_CONTEXT: undefined }
  return spawnSync(process.execPath, [vitest, 'run', '--root', dir], { cwd: dir, encoding: 'utf8', env })
}

for (const [backend, [config, worker]] of Object.entries(CASES)) {
  test(`Vitest with jsdom, ${backend}`, t => {
    const text = TEST.replace('BACKEND', `'${backend}'`).replace('{ ...WORKER }', worker)
    const { status, stdout, stderr } = run(t, backend, config, text)
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /Tests +1 passed/)
  })
}

test('what needs the build for browsers names the alias', t => {
  const text = TEST.replace('BACKEND', "'native'").replace('{ ...WORKER }', "{ workerId: 'random' }")
  const { stdout, stderr } = run(t, 'random', {}, text)
  assert.match(stdout + stderr, /alias: \{ snowmint: 'snowmint\/inline' \}/)
})
