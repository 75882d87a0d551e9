// The vectors in Chromium: the same test files as in Node, on the page's own node:test and assert.

import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'

import { close, home, launch, opened, serve } from './chromium.mjs'

before(launch)
after(close)

const suite = import.meta.dirname ?? new URL('.', import.meta.url).pathname
const root = process.env.SNOWMINT_ROOT
const MINIMA = { 'layouts.test.mjs': 30, 'engine.test.mjs': 50, 'texts.test.mjs': 5 }

for (const bundle of ['snowmint.mjs', 'snowmint.inline.mjs']) {
  for (const [file, least] of Object.entries(MINIMA)) {
    test(`${file} on ${bundle}`, async t => {
      const map = JSON.stringify({
        imports: {
          snowmint: `/dist/${bundle}`,
          'node:assert/strict': '/suite/page/assert.mjs',
          'node:test': '/suite/page/test.mjs',
          '/test/reading.mjs': '/suite/page/reading.mjs',
        },
      })
      const url = await serve(t, {
        '/dist/': path.join(home, 'dist'),
        '/suite/page/': path.join(suite, 'page'),
        '/test/': path.join(root, 'packages/npm/test'),
        '/vectors/': path.join(root, 'tests/vectors'),
        '/': `<!doctype html><script type="importmap">${map}</script><script type="module" src="/main.js"></script>`,
        '/main.js': `import { init } from 'snowmint'
          import { outcome } from 'node:test'
          await init()
          await import('/test/${file}')
          globalThis.result = outcome()`,
      }, {})
      const { passed, failed } = (await opened(t, url)).result
      assert.deepEqual(failed, [])
      assert.ok(passed.length >= least, `${passed.length} tests`)
    })
  }
}
