// The installed package: both module systems, the types' exports, the version, the loader's words.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import * as esm from 'snowmint'

import { directory, root } from './reading.mjs'

const require = createRequire(import.meta.url)
const home = path.dirname(require.resolve('snowmint/package.json'))

test('ESM and CommonJS give the same things', () => {
  const cjs = require('snowmint')
  const { default: whole, ...named } = esm
  assert.equal(whole, cjs)
  assert.deepEqual(Object.keys(named).sort(), Object.keys(cjs).sort())
  for (const [name, value] of Object.entries(cjs)) assert.equal(named[name], value)
})

test('the version is that of the workspace', () => {
  const options = ['metadata', '--no-deps', '--format-version', '1']
  const { packages } = JSON.parse(execFileSync('cargo', options, { cwd: root, maxBuffer: 1 << 26 }))
  const { version } = packages.find(({ name }) => name === 'snowmint')
  const manifest = require('snowmint/package.json')
  assert.deepEqual([esm.version, manifest.version], [version, version])
  for (const [name, wanted] of Object.entries(manifest.optionalDependencies)) {
    assert.equal(wanted, version)
    assert.equal(require(`${name}/package.json`).version, version)
  }
  const committed = JSON.parse(readFileSync(path.join(root, 'packages/npm/package.json'), 'utf8'))
  assert.equal(committed.version, undefined)
  assert.equal(manifest.scripts, undefined, 'no install script')
})

test('the types declare what is exported, and nothing else', () => {
  const ts = require('typescript')
  const program = ts.createProgram([path.join(home, 'lib/index.d.ts')], { strict: true })
  const checker = program.getTypeChecker()
  const file = checker.getSymbolAtLocation(program.getSourceFile(path.join(home, 'lib/index.d.ts')))
  const resolved = symbol => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
  const values = symbols => symbols.filter(symbol => resolved(symbol).flags & ts.SymbolFlags.Value)
  const exported = values(checker.getExportsOfModule(file))
  assert.deepEqual(exported.map(symbol => symbol.name).sort(), Object.keys(require('snowmint')).sort())
  const engine = resolved(exported.find(symbol => symbol.name === 'engine'))
  assert.deepEqual(values(checker.getExportsOfModule(engine)).map(symbol => symbol.name).sort(), Object.keys(esm.engine).sort())
  for (const symbol of exported) members(ts, checker, symbol, esm[symbol.name])
  for (const symbol of values(checker.getExportsOfModule(engine))) members(ts, checker, symbol, esm.engine[symbol.name])
})

/** Checks that a class has the members its type declares, and no other public method. */
function members(ts, checker, symbol, value) {
  if (typeof value !== 'function' || !(symbol.flags & ts.SymbolFlags.Class)) return
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const declared = new Set(type.getProperties().map(property => property.name).filter(name => !name.startsWith('__@')))
  const actual = new Set()
  for (let at = value.prototype; at !== Object.prototype && at !== Error.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') actual.add(name)
  }
  for (const name of actual) assert.ok(declared.has(name), `${symbol.name}.${name} is not declared`)
  const statics = checker.getTypeOfSymbol(symbol).getProperties().map(property => property.name)
  for (const name of statics) if (name !== 'prototype') assert.ok(name in value, `${symbol.name}.${name} is not there`)
  for (const property of type.getProperties()) {
    const method = property.flags & ts.SymbolFlags.Method && !property.name.startsWith('__@')
    if (method) assert.ok(actual.has(property.name), `${symbol.name}.${property.name}() is not there`)
  }
}

test('every error code has its name in the types', () => {
  const types = ['errors', 'text'].map(name => readFileSync(path.join(home, `lib/${name}.d.ts`), 'utf8')).join('\n')
  const [, union] = /export type ErrorCode =\n([^]*?)\n\n/.exec(types)
  const declared = [...union.matchAll(/'([a-z_]+)'/g)].map(([, name]) => name)
  assert.deepEqual(declared, esm.errorCodes.map(({ name }) => name))
  const [, forms] = /export type TextForm =\n([^]*?)\n\n/.exec(types)
  assert.deepEqual([...forms.matchAll(/'([a-z0-9-]+)'/g)].map(([, name]) => name), esm.textForms().map(({ name }) => name))
})

const WITHOUT = `
  const { _load: load, _resolveFilename: find } = require('node:module')
  require('node:module')._resolveFilename = function (name, ...rest) {
    if (process.env.GONE && name.startsWith('@snowmint/')) throw new Error('not there')
    return find.call(this, name, ...rest)
  }
  require('node:module')._load = function (name, ...rest) {
    if (name.startsWith('@snowmint/')) throw new Error('wrong ELF class')
    return load.call(this, name, ...rest)
  }
  console.log(require('snowmint').backend)`

function without(backend, code = '', gone = '') {
  const env = { ...process.env, SNOWMINT_BACKEND: backend, GONE: gone }
  return spawnSync(process.execPath, ['-e', WITHOUT + code], { encoding: 'utf8', cwd: path.dirname(home), env })
}

test('an addon that cannot be loaded: WebAssembly, and a warning with every path tried, and why', () => {
  const { status, stdout, stderr } = without('')
  assert.equal(status, 0)
  assert.equal(stdout.trim(), 'wasm')
  assert.match(stderr, /\[SNOWMINT_WASM\] Warning: snowmint has no native addon for \S+ \(Node v/)
  assert.match(stderr, /@snowmint\/node-\S+: wrong ELF class/)
  assert.match(stderr, /snowmint\.\S+\.node: no such file/)
})

test('the addon is that for the C library of this Node', () => {
  const script = `
    process.report.getReport = () => ({ header: JSON.parse(process.env.HEADER) })
    console.log(require('./snowmint/lib/platform.js').platform())`
  const names = [{ glibcVersionRuntime: '2.36' }, {}].map(header => {
    const env = { ...process.env, HEADER: JSON.stringify(header) }
    return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: path.dirname(home), env }).trim()
  })
  assert.deepEqual(names, [`linux-${process.arch}-gnu`, `linux-${process.arch}-musl`])
})

const OPENINGS = `
  const { Snowflake, Store, open } = require('snowmint')
  async function main() {
    const openings = [
      () => open(), () => new Snowflake(), () => Snowflake.open(),
      () => open('snowflake+sqlite:ids.db?create=true'), () => Store.open('sqlite:ids.db'),
      () => open('snowflake:?worker_id=7'), () => new Snowflake({ workerId: 'env' }),
    ]
    for (const opening of openings) {
      try {
        await opening()
      } catch (error) {
        console.log(error.code, error.message)
      }
    }
  }
  main()`

test('without the addon what needs files says how to have it', () => {
  const [addon] = Object.keys(require('snowmint/package.json').optionalDependencies)
  const advices = [
    ['', '', `; or mend ${addon}: a warning said why it is not loaded`],
    ['', 'gone', `; or install ${addon}`],
    ['wasm', '', '; or unset SNOWMINT_BACKEND'],
    ['wasm', 'gone', `; or unset SNOWMINT_BACKEND, and install ${addon}`],
  ]
  for (const [backend, gone, advice] of advices) {
    const [, ...said] = without(backend, OPENINGS, gone).stdout.trim().split('\n')
    assert.equal(said.length, 7)
    for (const line of said) assert.ok(line.startsWith('unsupported ') && line.endsWith(advice), line)
    assert.match(said[0], /only Node's addon has files/)
    assert.match(said[3], /snowflake\+sqlite: needs Node's addon/)
    assert.match(said[5], /workerId=7 is not possible without Node's addon: use 'random', or a store;/)
  }
  const env = { ...process.env, SNOWMINT_BACKEND: 'wasm' }
  const run = spawnSync(process.execPath, [path.join(home, 'lib/command.js')], { encoding: 'utf8', env })
  assert.deepEqual([run.status, run.stdout], [2, ''])
  assert.match(run.stderr, /^error\[unsupported\]: only Node's addon has files/)
})

test('without the addon every parameter of a URL that only it takes says how to have it', async () => {
  const urls = []
  for (const source of ['snowflake:?', 'snowflake+https://x?', 'segment+https://x?']) {
    const { message } = await esm.open(`${source}nosuch=1`).catch(error => error)
    const names = [...message.matchAll(/takes ([\w, ]+)/g)].flatMap(([, list]) => list.split(', '))
    // After one that is known comes one that nobody knows, before anything is opened.
    urls.push(...names.map(name => `${source}${name}=1&nosuch=1`))
  }
  const code = `
    const { open } = require('snowmint')
    for (const url of ${JSON.stringify(urls)}) open(url).catch(({ code, message }) => console.log(code, message))`
  const [, ...said] = without('', code, 'gone').stdout.trim().split('\n')
  assert.equal(said.length, urls.length)
  const alone = said.filter(line => !line.includes('"nosuch"'))
  assert.ok(alone.length > 20 && alone.length < said.length)
  const [addon] = Object.keys(require('snowmint/package.json').optionalDependencies)
  for (const line of said) {
    assert.match(line, /^unknown_parameter (snowflake|segment) has no parameter "\w+"/)
    assert.equal(line.includes(" without Node's addon; there are "), alone.includes(line), line)
    assert.equal(line.endsWith(`; or install ${addon}`), alone.includes(line), line)
  }
})

test('an addon that SNOWMINT_ADDON names and that is not there is an error that names the variable', () => {
  const env = { ...process.env, SNOWMINT_ADDON: '/nope.node', SNOWMINT_BACKEND: '' }
  const run = spawnSync(process.execPath, ['-e', "require('snowmint')"], { encoding: 'utf8', cwd: path.dirname(home), env })
  assert.notEqual(run.status, 0)
  assert.match(run.stderr, /\/nope\.node: no such file\nSNOWMINT_ADDON=\/nope\.node names that file/)
  assert.doesNotMatch(run.stderr, /omit=optional/)
})

test('the backend that is asked for, or an error', () => {
  const refused = without('native')
  assert.notEqual(refused.status, 0)
  assert.match(refused.stderr, /snowmint has no native addon for \S+ \(Node v/)
  assert.match(refused.stderr, /ERR_SNOWMINT_ADDON/)
  const chosen = without('wasm')
  assert.deepEqual([chosen.stdout.trim(), chosen.stderr], ['wasm', ''])
  assert.equal(esm.backend, 'native')
})

test('a backend that there is not is refused, with those there are', () => {
  for (const backend of ['WASM', 'foo', ' native']) {
    const { status, stderr } = without(backend)
    assert.notEqual(status, 0)
    const said = `SNOWMINT_BACKEND=${JSON.stringify(backend)} is not possible: use native or wasm, or unset it`
    assert.ok(stderr.includes(said), stderr)
    assert.match(stderr, /ERR_SNOWMINT_BACKEND/)
  }
})

test('an addon of another version is refused', () => {
  const script = `
    const load = require('node:module')._load
    require('node:module')._load = function (name, ...rest) {
      if (name.startsWith('@snowmint/')) return { version: () => '0.0.0' }
      return load.call(this, name, ...rest)
    }
    require('snowmint')`
  const run = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: path.dirname(home) })
  assert.match(run.stderr, /it is version 0\.0\.0, and the package /)
})

const COPIES = `
  const copies = process.argv.slice(1).map(path => require(path))
  const kinds = error => copies.map(({ SnowmintError }) => error instanceof SnowmintError)
  async function main() {
    for (const { Store, parse } of copies) {
      try {
        parse('x')
      } catch (error) {
        console.log(error.code, ...kinds(error))
      }
      await Store.open('nosuch:').catch(error => console.log(error.code, ...kinds(error)))
    }
  }
  main()`

test('two copies of the package on one addon: each throws errors of its own class', t => {
  const manifest = require('snowmint/package.json')
  const [addon] = Object.keys(manifest.optionalDependencies)
  const copy = path.join(directory(t), 'snowmint')
  cpSync(home, copy, { recursive: true })
  const env = { ...process.env, SNOWMINT_ADDON: require.resolve(addon) }
  const run = spawnSync(process.execPath, ['-e', COPIES, home, copy], { encoding: 'utf8', env })
  assert.equal(run.stdout, [
    'unknown_text_form true false', 'unknown_scheme true false',
    'unknown_text_form false true', 'unknown_scheme false true', '',
  ].join('\n'), run.stderr)
})
