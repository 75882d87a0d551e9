// A Web Worker and a service worker.

import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'

import { close, home, launch, opened, serve } from './chromium.mjs'
import { EXPECTED } from './page.mjs'

before(launch)
after(close)

const suite = import.meta.dirname ?? new URL('.', import.meta.url).pathname
const files = {
  '/dist/': path.join(home, 'dist'),
  '/suite/': suite,
  '/': '<!doctype html><script type="module" src="/main.js"></script>',
}

function worker(bundle, answer) {
  return `import * as snowmint from '/dist/${bundle}'
    import { use } from '/suite/page.mjs'
    addEventListener('message', async event => { ${answer}(await use(snowmint)) })`
}

for (const bundle of ['snowmint.mjs', 'snowmint.inline.mjs']) {
  test(`a Web Worker on ${bundle}`, async t => {
    const url = await serve(t, {
      ...files,
      '/worker.js': worker(bundle, 'postMessage'),
      '/main.js': `const worker = new Worker('/worker.js', { type: 'module' })
        globalThis.result = new Promise((resolve, reject) => {
          worker.onmessage = event => resolve(event.data)
          worker.onerror = error => reject(error.message)
        })
        worker.postMessage('go')`,
    })
    const { number, ...rest } = (await opened(t, url)).result
    assert.deepEqual(rest, EXPECTED)
    assert.ok(number > 0)
  })

  test(`a service worker on ${bundle}`, async t => {
    const url = await serve(t, {
      ...files,
      '/worker.js': worker(bundle, 'event.source.postMessage'),
      '/main.js': `await navigator.serviceWorker.register('/worker.js', { type: 'module' })
        const { active } = await navigator.serviceWorker.ready
        globalThis.result = new Promise(resolve => {
          navigator.serviceWorker.onmessage = event => resolve(event.data)
        })
        active.postMessage('go')`,
    })
    const { number, ...rest } = (await opened(t, url)).result
    assert.deepEqual(rest, EXPECTED)
    assert.ok(number > 0)
  })
}
