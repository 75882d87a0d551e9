// Node where no addon fits, and runtimes that are told apart by the conditions of `exports`.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

import { home } from './chromium.mjs'

/** A project with the package, and without its addon. */
function project(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'snowmint-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'node_modules'))
  cpSync(home, path.join(folder, 'node_modules/snowmint'), { recursive: true })
  return folder
}

function run(cwd, code, ...options) {
  const env = { ...process.env, SNOWMINT_BACKEND: '', SNOWMINT_ADDON: '' }
  return spawnSync(process.execPath, [...options, '-e', code], { cwd, env, encoding: 'utf8' })
}

const PROBE = `
  const lines = [snowmint.backend, snowmint.decode(1541815603606036480n).parts.workerId]
  const calls = [() => snowmint.Store.open('sqlite:ids.db'), () => new snowmint.Daily({ tag: 'a' }), () => snowmint.openSync('uuid:')]
  for (const call of calls) {
    try { await call() } catch (error) { lines.push(error.code) }
  }
  console.log(lines.join())`

for (const [name, before, ...options] of [
  ['ESM', "import * as snowmint from 'snowmint';", '--input-type=module'],
  ['CommonJS', "const snowmint = require('snowmint');", '--input-type=commonjs'],
]) {
  test(`Node without an addon, ${name}`, t => {
    const code = name === 'ESM' ? before + PROBE : `${before}(async () => {${PROBE}})()`
    const { status, stdout, stderr } = run(project(t), code, ...options)
    assert.equal(status, 0, stderr)
    assert.equal(stdout.trim(), 'wasm,378,unsupported,unsupported,unsupported')
    assert.match(stderr, /\[SNOWMINT_WASM\] Warning: snowmint has no native addon for \S+ \(Node v/)
  })
}

test('what needs the addon says so, and what there is in its place', t => {
  const code = `const snowmint = require('snowmint')
    const calls = [
      () => snowmint.Store.open('sqlite:ids.db'), () => snowmint.openSync('uuid:'), () => snowmint.lazy('uuid:'), () => snowmint.onRestore(() => {}),
      () => new snowmint.Daily({ tag: 'a' }), () => new snowmint.Snowflake({ workerId: 7, stateDirectory: '.' }),
      () => new snowmint.Segment({ tag: 'a', store: {} }), () => snowmint.PublicIdKeys.open('keys.toml'),
      () => snowmint.PublicIdKeys.fromBytes(new Uint8Array()), () => snowmint.PublicIdKeys.generate(),
      () => new snowmint.PublicIds(),
    ]
    const said = async () => {
      for (const call of calls) {
        try { await call() } catch (error) { console.log(error.code + ': ' + error.message) }
      }
    }
    said()`
  const has = "unsupported: only Node's addon has it"
  const said = run(project(t), code).stdout.trim().split('\n')
  const install = /; or install @snowmint\/node-[a-z0-9-]+$/
  for (const line of said) assert.match(line, install)
  assert.deepEqual(said.map(line => line.replace(install, '')), [
    `${has}, for it needs files or databases; see IdService`,
    `${has}; use open`,
    `${has}; use open, and await it where the first ID is needed`,
    has,
    has,
    `${has}, the option stateDirectory: use a store, or the workerId 'random'`,
    `${has}, the option store: use allocate, with an IdService or a function`,
    ...Array(4).fill(`${has}: whoever has the keys of public IDs reads all of them, so they stay on servers`),
  ])
})

test('an error that nobody catches is shown without the whole bundle', t => {
  const { status, stderr } = run(project(t), "require('snowmint').open('snowflake:?worker_id=7')", '--no-warnings')
  assert.notEqual(status, 0)
  assert.match(stderr, /SnowmintError: workerId=7 is not possible without Node's addon: use 'random', or a store; or install @snowmint\//)
  for (const line of stderr.split('\n')) assert.ok(line.length < 300, `a line of ${line.length} characters`)
})

for (const condition of ['workerd', 'edge-light', 'worker', 'browser']) {
  test(`the condition ${condition}`, t => {
    const code = `import { readFileSync } from 'node:fs'
      import { createRequire } from 'node:module'
      import * as snowmint from 'snowmint'
      const place = createRequire(process.cwd() + '/main.js').resolve('snowmint/snowmint.wasm')
      await snowmint.init(new WebAssembly.Module(readFileSync(place)))
      ${PROBE}`
    const { status, stdout, stderr } = run(project(t), code, '--input-type=module', `--conditions=${condition}`)
    assert.equal(status, 0, stderr)
    assert.equal(stdout.trim(), 'wasm,378,unsupported,unsupported,unsupported')
  })
}

for (const name of ['snowmint', 'snowmint/inline']) {
  test(`${name} has a default export with all the others`, t => {
    const code = `import * as all from '${name}'
      import snowmint from '${name}'
      console.log(Object.keys(all).every(key => key === 'default' || all[key] === snowmint[key]))`
    const { stdout, stderr } = run(project(t), code, '--input-type=module', '--conditions=browser')
    assert.equal(stdout.trim(), 'true', stderr)
  })
}

test('the inlined form in Node', t => {
  const { status, stdout, stderr } = run(project(t), `import * as snowmint from 'snowmint/inline'; ${PROBE}`, '--input-type=module')
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trim(), 'wasm,378,unsupported,unsupported,unsupported')
})
