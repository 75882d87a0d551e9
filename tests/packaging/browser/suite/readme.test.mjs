// The README's pages, as they stand there.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'

import { close, home, launch, opened, serve } from './chromium.mjs'

before(launch)
after(close)

const readme = readFileSync(path.join(home, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/```html\n([^]*?)```/g)].map(([, code]) => code)

test('there are pages', () => assert.ok(blocks.length >= 2))

blocks.forEach((code, at) => {
  test(`README.md: page ${at + 1}`, async t => {
    const done = '\n  globalThis.result = "done"\n</script>'
    const url = await serve(t, {
      '/node_modules/snowmint/dist/': path.join(home, 'dist'),
      '/': `<!doctype html>${code.trimEnd().replace(/\n<\/script>$/, done)}`,
    }, {})
    for (const time of ['first', 'second']) {
      const { said } = await opened(t, url)
      for (const [, shown] of code.matchAll(/console\.log\(.*\) *\/\/ (.+)/g)) {
        assert.ok(said.some(line => line.includes(shown)), `${time} time: ${shown} in ${said.join('\n')}`)
      }
    }
  })
})
