// Node on WebAssembly: what the addon's tests ask of the engine, without the addon.

import assert from 'node:assert/strict'
import { test } from 'node:test'

process.env.SNOWMINT_BACKEND = 'wasm'
const { backend } = await import('snowmint')

test('the tests below run on WebAssembly', () => assert.equal(backend, 'wasm'))

await import('../test/layouts.test.mjs')
await import('../test/engine.test.mjs')
await import('../test/texts.test.mjs')
await import('../test/guesses.test.mjs')
