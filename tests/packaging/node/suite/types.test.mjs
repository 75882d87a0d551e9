// The types as programs of all kinds see them: with and without a browser's, and checked themselves.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)

const PROGRAM = `
import { IdService, Layout, Ring, Segment, Snowflake, decode, events, guess, init, lazy, open, openSync, stringify } from 'snowmint'

declare const process_env: string

export async function mint(bytes: Uint8Array): Promise<string> {
  await init(bytes)
  await init('https://ids.example/snowmint.wasm')
  const own: Snowflake = await open()
  const again = new Snowflake()
  const flake = await open('snowflake:?worker_id=7')
  const service: Segment = await open('http://a.example:8064,b.example/orders?step=1000')
  const overTls: Segment = openSync('https://a.example/orders')
  const ahead: Ring = await open('http://a.example:8064/orders?ring=1024')
  const orders = await Segment.open({ tag: 'orders', allocate: async (_tag, count) => [1n, 1n + BigInt(count)] })
  const later: Segment = lazy('segment+sqlite:ids.db?tag=orders')
  await later.ready(1000)
  const mine: Snowflake = Snowflake.lazy(process_env)
  const any = await open(process_env)
  const id: bigint | string = any.kind === 'sequences' ? any.next(7) : any.kind === 'uuid' ? any.nextUuid() : any.nextId()
  if (any.kind === 'segment') await any.ready()
  any.close()
  events.on('lease_lost', ({ message }) => message)
  await Snowflake.open({ store: new IdService('https://ids.example', { fetch: async () => ({ ok: true, status: 200, text: async () => '{}' }) }) })
  const { name, named, parts } = decode(flake.nextId(), { beside: 'guild_id', now: new Date() })
  const worker: number | undefined = Layout.DISCORD.workerParts(decode(1n, 'discord').workerId).worker
  const when: Date = guess('175928847299117063', { beside: 'discord.com' })[0]?.parts.time ?? parts.time
  return stringify([name, named, when, worker, id, mine.nextId(), own.file, again.file, ahead.nextId(), overTls.nextId(), service.nextId(), await orders.nextIdAsync()])
}
// @ts-expect-error: a guess has no time of its own
decode(1n).time
// @ts-expect-error: the layout splits the worker ID
decode(1n, 'discord').worker
// @ts-expect-error: the layout joins it as well
Layout.DISCORD.encode({ time: 0, worker: 1 })
// @ts-expect-error: a variable that is not set opens nothing
Snowflake.open(undefined)
// @ts-expect-error: likewise
new Snowflake(undefined)
`

const NODE = `
import { on, once } from 'node:events'
import { events, type SnowmintEvent } from 'snowmint'

export async function heard(): Promise<SnowmintEvent> {
  events.setMaxListeners(20).removeAllListeners('store_back').removeListener('event', () => {})
  const count: number = events.listenerCount('store_down') + events.getMaxListeners()
  const emitter: NodeJS.EventEmitter = events
  const [event] = await once(count > 0 ? emitter : events, 'store_down')
  await once(events, 'lease_lost', { signal: AbortSignal.timeout(1) })
  for await (const [next] of on(events, 'event')) if (next.name === event.name) return next
  for (const listener of events.listeners('event')) listener(event)
  return event
}
// @ts-expect-error: there is no such event
events.on('store_lost', () => {})
`

const BROWSER = `
import { IdService, type PublicIds, type Snowflake, engine, events, init } from 'snowmint'

export const service = new IdService(new URL('https://ids.example'), { fetch })
export const again = new IdService('https://ids.example', { fetch: (url, request) => fetch(url, { ...request, credentials: 'include' }) })
export const loaded = [init(new URL('https://ids.example/')), init(fetch('/snowmint.wasm'))]
// @ts-expect-error: in a page it is no emitter of Node's
events.removeAllListeners()
export const blob = (flake: Snowflake, orders: PublicIds) => new Blob([
  flake.nextIds(3), orders.decodeMany([]), flake.layout.decodeMany(flake.nextIds(3)).unixMs,
  new engine.Snowflake({}).issue(1, 0),
])
export const later = async (flake: Snowflake) => new Blob([await flake.nextIdsAsync(3)])
export const compiled = WebAssembly.compile(new ArrayBuffer(8)).then(module => init(module))
`

const CASES = {
  'without a library of the browser, nor of Node': { lib: ['lib.es2022.d.ts'], types: [] },
  'with that of Node 20': { lib: ['lib.es2022.d.ts'], types: ['node'], also: NODE },
  'with that of Node 26': { lib: ['lib.es2022.d.ts'], types: ['node'], installed: 'node-26', also: NODE },
  'with that of the browser': { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [], also: BROWSER },
}

/** A folder of types in which Node's are of that package; its own types name them `node`. */
function typesOf(installed, dir) {
  const roots = path.join(dir, 'node_modules/@types')
  cpSync(path.join(here, '../node_modules/@types', installed), path.join(roots, 'node'), { recursive: true })
  return { typeRoots: [roots] }
}

for (const [name, { also = '', installed, ...libraries }] of Object.entries(CASES)) {
  test(`types, themselves checked, ${name}`, t => {
    const dir = path.join(here, `types-${Object.keys(CASES).indexOf(name)}`)
    t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20 }))
    mkdirSync(dir, { recursive: true })
    const files = ['program.mts', 'browser.mts'].map(file => path.join(dir, file))
    writeFileSync(files[0], PROGRAM)
    writeFileSync(files[1], also)
    const program = ts.createProgram(files, {
      ...libraries,
      ...(installed && typesOf(installed, dir)),
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    })
    const found = ts.getPreEmitDiagnostics(program)
    assert.equal(ts.formatDiagnostics(found, { getCanonicalFileName: file => file, getCurrentDirectory: () => dir, getNewLine: () => '\n' }), '')
  })
}
