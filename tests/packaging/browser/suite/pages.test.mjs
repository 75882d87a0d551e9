// Pages without a bundler, under a policy without eval.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'

import { CSP, close, home, launch, opened, serve } from './chromium.mjs'
import { EXPECTED } from './page.mjs'

before(launch)
after(close)

const suite = import.meta.dirname ?? new URL('.', import.meta.url).pathname
const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
const files = { '/dist/': path.join(home, 'dist'), '/suite/': suite }

function agrees(result) {
  const { number, ...rest } = result
  assert.deepEqual(rest, EXPECTED)
  assert.ok(Number.isSafeInteger(number))
}

for (const bundle of ['snowmint.mjs', 'snowmint.inline.mjs']) {
  test(`${bundle}, imported by its address`, async t => {
    const url = await serve(t, {
      ...files,
      '/': '<!doctype html><script type="module" src="/main.js"></script>',
      '/main.js': `import * as snowmint from '/dist/${bundle}'
        import { use } from '/suite/page.mjs'
        globalThis.result = await use(snowmint)`,
    })
    const { result, said } = await opened(t, url)
    agrees(result)
    assert.deepEqual(said, [])
  })
}

test('an import map', async t => {
  const map = JSON.stringify({ imports: { snowmint: '/dist/snowmint.mjs', 'snowmint/inline': '/dist/snowmint.inline.mjs' } })
  const hash = createHash('sha256').update(map).digest('base64')
  const url = await serve(t, {
    ...files,
    '/': `<!doctype html><script type="importmap">${map}</script><script type="module" src="/main.js"></script>`,
    '/main.js': `import * as late from 'snowmint'
      import * as inline from 'snowmint/inline'
      import { use } from '/suite/page.mjs'
      globalThis.result = Promise.all([use(late), use(inline)])`,
  }, { 'content-security-policy': CSP.replace("'self' 'wasm", `'self' 'sha256-${hash}' 'wasm`) })
  const { result, said } = await opened(t, url)
  result.forEach(agrees)
  assert.deepEqual(said, [])
})

test('without the policy for WebAssembly it says so, and eval is not what it misses', async t => {
  const url = await serve(t, {
    ...files,
    '/': '<!doctype html><script type="module" src="/main.js"></script>',
    '/main.js': `import { init } from '/dist/snowmint.mjs'
      globalThis.result = init().then(() => 'done', ({ code, message, cause }) => [code, message, cause.name])`,
  }, { 'content-security-policy': "script-src 'self'; connect-src 'self'" })
  const { result: [code, message, cause] } = await opened(t, url)
  assert.deepEqual([code, cause], ['unsupported', 'CompileError'])
  assert.match(message, /^init needs all of snowmint\.wasm, and 'wasm-unsafe-eval' where a page has a policy: /)
})

test('before init, all that needs the module says what to do', async t => {
  const url = await serve(t, {
    ...files,
    '/': '<!doctype html><script type="module" src="/main.js"></script>',
    '/main.js': `import * as snowmint from '/dist/snowmint.mjs'
      const { IdService, Layout, Segment, SnowmintError, Snowflake, decode, detect, engine, format, guess, parse, textForms } = snowmint
      const calls = [
        () => Layout.TWITTER, () => Layout.of('twitter'), () => new Layout('time:41,worker:10,sequence:12'),
        () => decode(1n), () => guess(1n), () => format(1n), () => new engine.Snowflake({}),
        () => new Snowflake({ workerId: 'random' }), () => new Segment({ tag: 'orders', allocate() {}, step: 7 }),
        () => Layout.presets(), () => textForms(), () => detect('1'), () => parse('1', 'dec'),
        () => new engine.Range(1n, 2n), () => new engine.SegmentBuffer({ step: 1 }), () => engine.timestamp(0),
        () => new IdService('/').allocate('orders', 1n), () => new IdService('/').acquire({}),
      ]
      globalThis.result = Promise.all(calls.map(async call => {
        try {
          await call()
          return 'nothing thrown: ' + call
        } catch (error) {
          return [error instanceof SnowmintError, error.code, error.number, error.message].join()
        }
      }))`,
  })
  const { result } = await opened(t, url)
  for (const text of result) assert.equal(text, 'true,unsupported,705,snowmint is not loaded yet: await init() first')
})

test('a service that does not answer may be one that does not allow the page', async t => {
  const url = await serve(t, {
    ...files,
    '/': '<!doctype html><script type="module" src="/main.js"></script>',
    '/main.js': `import { IdService, init } from '/dist/snowmint.mjs'
      const ask = at => new IdService(at).allocate('orders', 1).then(() => 'nothing', ({ code, message }) => code + ': ' + message)
      globalThis.result = init().then(() => Promise.all([ask('http://127.0.0.1:9'), ask('/ids')]))`,
  })
  const { result } = await opened(t, url)
  assert.deepEqual(result, [
    `store_unavailable: the ID service at 127.0.0.1:9: Failed to fetch: it cannot be reached, or does not allow ${url} (http.origins)`,
    'store_unavailable: the ID service at /ids: it answers HTTP 404, and no word of an ID service: is it one?',
  ])
})

test('init takes the module in every form, and loads it once', async t => {
  const url = await serve(t, {
    ...files,
    '/': '<!doctype html><script type="module" src="/main.js"></script>',
    '/main.js': `
      const wasm = '/dist/snowmint.wasm'
      const forms = {
        text: () => wasm,
        url: () => new URL(wasm, location),
        response: () => fetch(wasm),
        bytes: async () => (await fetch(wasm)).arrayBuffer(),
        array: async () => new Uint8Array(await (await fetch(wasm)).arrayBuffer()),
        module: async () => WebAssembly.compile(await (await fetch(wasm)).arrayBuffer()),
      }
      const loaded = {}
      for (const [name, form] of Object.entries(forms)) {
        const { Layout, errorCodes, init } = await import('/dist/snowmint.mjs?' + name)
        await Promise.all([init(form()), init('/nowhere'), init()])
        await init('/nowhere')
        loaded[name] = [String(Layout.LEAF), errorCodes.length].join()
      }
      const { init, decode } = await import('/dist/snowmint.mjs?again')
      const failed = []
      const places = ['/nowhere.wasm', '/', fetch('/'), new Uint8Array(), 'http://127.0.0.1:9/snowmint.wasm']
      for (const place of places) {
        await init(place).then(() => failed.push('loaded'), ({ code, message }) => failed.push(code + ': ' + message))
      }
      const empty = [0, 97, 115, 109, 1, 0, 0, 0]
      const old = [...empty, 0, 14, 8, ...new TextEncoder().encode('snowmint0.0.1')]
      const refused = []
      for (const bytes of [empty, old]) {
        await init(Uint8Array.from(bytes)).catch(({ code, number, message }) => refused.push(code, number, message))
      }
      await init()
      loaded.again = [decode(1n, "twitter").sequence, ...refused].join()
      loaded.failed = failed
      globalThis.result = loaded`,
  })
  const { result } = await opened(t, url)
  const { again, failed, ...rest } = result
  const misplaced = (place, what) => (
    `unsupported: init needs snowmint.wasm, and ${place} ${what}: put it there, or give init its URL`
  )
  assert.deepEqual(failed, [
    misplaced(`${url}/nowhere.wasm`, 'answered 404'),
    ...Array(2).fill(misplaced(`${url}/`, 'is no WebAssembly, but begins with "<!doctype html><"')),
    'unsupported: init needs snowmint.wasm, and what it was given is no WebAssembly, but begins with "": give it the URL, or the bytes',
    misplaced('http://127.0.0.1:9/snowmint.wasm', 'is not to be had (Failed to fetch)'),
  ])
  assert.equal(again, [
    '1',
    `unsupported,705,init needs snowmint.wasm of version ${version}, and was given another module`,
    `unsupported,705,init needs snowmint.wasm of version ${version}, and was given version 0.0.1`,
  ].join())
  assert.equal(new Set(Object.values(rest)).size, 1)
  assert.match(rest.text, /^zero:1,time:41,worker:10,sequence:12@1288834974657\/1,\d+$/)
})

test('the bundles have no eval, and no source maps', () => {
  for (const name of ['snowmint.mjs', 'snowmint.inline.mjs', 'snowmint.node.cjs']) {
    const text = readFileSync(path.join(home, 'dist', name), 'utf8')
    assert.doesNotMatch(text, /\beval\(|new Function|sourceMappingURL/)
  }
})
