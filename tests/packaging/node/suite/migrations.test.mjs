// drizzle-kit beside a store in the same database: it leaves the store's tables alone.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { Store } from 'snowmint'

import { postgres } from '../test/databases.mjs'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)

const database = postgres()

const SCHEMA = `
const { pgTable, bigint, text } = require('drizzle-orm/pg-core')
exports.orders = pgTable('orders', { id: bigint('id', { mode: 'bigint' }).primaryKey(), item: text('item') })
`

test('drizzle-kit pushes a schema and drops nothing of the store', async t => {
  const url = database(t)
  const store = await Store.open(`${url}&create=true`)
  t.after(() => store.close())
  await store.createTag('orders')

  const dir = path.join(here, 'drizzle')
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, 'schema.cjs'), SCHEMA)
  writeFileSync(path.join(dir, 'drizzle.config.json'), JSON.stringify({
    dialect: 'postgresql', schema: './schema.cjs', dbCredentials: { url },
  }))
  const kit = path.resolve(here, '../node_modules/drizzle-kit/bin.cjs')
  for (const expected of [/Changes applied/, /No changes detected/]) {
    const { stdout, stderr } = spawnSync(process.execPath, [kit, 'push', '--force', '--verbose'], { cwd: dir, encoding: 'utf8' })
    assert.match(stdout, expected, stderr)
    assert.doesNotMatch(stdout, /snowmint/)
  }
  const query = "SELECT string_agg(table_schema || '.' || table_name, ' ' ORDER BY 1) FROM information_schema.tables WHERE table_schema IN ('public', 'snowmint')"
  const tables = execFileSync('psql', ['-X', '-q', '-A', '-t', '-d', url, '-c', query], { encoding: 'utf8' })
  assert.match(tables, /public\.orders/)
  for (const name of ['schema', 'segment', 'worker']) assert.match(tables, new RegExp(`snowmint\\.snowmint_${name}`))
})
