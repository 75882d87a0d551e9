#!/usr/bin/env node
// Prisma's schema engine for tests: its WebAssembly of the same version, in place of the program that
// Prisma downloads from a host of its own. Prisma's command talks to it by JSON-RPC.

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import Result from 'pg/lib/result.js'
import { parse } from 'pg-connection-string'

const [CHAR, TEXT] = [18, 25] // of PostgreSQL

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { datamodels: { type: 'string', multiple: true }, datasource: { type: 'string' } },
})
// Whether a database can be reached is known when it is used.
if (positionals[0] === 'cli') process.exit(0)

// The adapter is for applications, and does not know this type, which only catalogues have.
const { addFields } = Result.prototype
Result.prototype.addFields = function (fields) {
  for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT
  return addFields.call(this, fields)
}

/** The adapter drops a shadow database before it ends its own connections to it, which fails. */
class Adapter extends PrismaPg {
  async connectToShadowDb() {
    const database = `shadow_${randomUUID()}`
    const connection = await this.connect()
    await connection.executeScript(`CREATE DATABASE "${database}"`)
    const shadow = await new PrismaPg({ ...this.config, database }).connect()
    const dispose = shadow.dispose.bind(shadow)
    shadow.dispose = async () => {
      await dispose()
      await connection.executeScript(`DROP DATABASE "${database}" WITH (FORCE)`)
      await connection.dispose()
    }
    return shadow
  }
}

const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
const wasm = await readFile(glue.replace(/js$/, 'wasm'))
const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings })
bindings.__wbg_set_wasm(instance.exports)
instance.exports.__wbindgen_start()

const datamodels = await Promise.all(
  (values.datamodels ?? []).map(async name => [name, await readFile(name, 'utf8')]))
const adapter = new Adapter(parse(JSON.parse(values.datasource).url))
const engine = await bindings.SchemaEngine.new(
  { datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(adapter))

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const answer = await engine[method](params).then(
    result => ({ result: result ?? null }),
    ({ message }) => ({ error: { code: 4466, message, data: { message, is_panic: false } } }))
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
}
