// The pages of the documentation's examples run in Chromium, twice each.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'

import { close, home, launch, opened, serve } from './chromium.mjs'
import { idService } from '../test/browser/id-service.mjs'
import { root } from '../test/reading.mjs'

before(launch)
after(close)

const examples = path.join(root, 'examples/browser')

for (const name of readdirSync(examples)) {
  test(name, async t => {
    const text = readFileSync(path.join(examples, name), 'utf8')
    const service = await idService(t)
    await service.createTag('orders')
    const page = text.replace('https://ids.example', service.url).trimEnd()
    const done = '\n  globalThis.result = "done"\n</script>'
    const url = await serve(t, {
      '/node_modules/snowmint/dist/': path.join(home, 'dist'),
      '/': `<!doctype html>${page.replace(/\n<\/script>$/, done)}`,
    }, {})
    for (const time of ['first', 'second']) {
      const { said } = await opened(t, url)
      for (const [, shown] of text.matchAll(/console\.log\(.*\) *\/\/ (.+)/g)) {
        assert.ok(said.some(line => line.includes(shown)), `${time} time: ${shown} in ${said.join('\n')}`)
      }
    }
  })
}
