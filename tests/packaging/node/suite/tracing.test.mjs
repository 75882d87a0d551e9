// The files that a tracer finds are all that a program needs, also of the addon.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { nodeFileTrace } from '@vercel/nft'

import { directory } from '../test/reading.mjs'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)
const project = path.dirname(here)

const PROGRAMS = {
  'program.cjs': `console.log(require('snowmint').backend)`,
  'program.mjs': `import { backend } from 'snowmint'; console.log(backend)`,
}

for (const [file, text] of Object.entries(PROGRAMS)) {
  test(`@vercel/nft, ${file}`, async t => {
    const folder = path.join(here, `traced-${path.extname(file).slice(1)}`)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(folder, { recursive: true })
    const program = path.join(folder, file)
    writeFileSync(program, text)
    const { fileList } = await nodeFileTrace([program], { base: project })

    const require = createRequire(import.meta.url)
    const manifest = JSON.parse(readFileSync(require.resolve('snowmint/package.json'), 'utf8'))
    const [addon] = Object.keys(manifest.optionalDependencies)
    const expected = path.relative(project, require.resolve(addon))
    assert.ok(fileList.has(expected), `${expected} is not among ${[...fileList].join(', ')}`)

    const away = directory(t)
    for (const found of fileList) {
      cpSync(path.join(project, found), path.join(away, found), { recursive: true })
    }
    for (const backend of ['native', 'wasm']) {
      const env = { ...process.env, SNOWMINT_BACKEND: backend }
      const words = [path.join(away, path.relative(project, program))]
      const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: away, encoding: 'utf8', env })
      assert.equal(stdout, `${backend}\n`, stderr)
    }
  })
}
