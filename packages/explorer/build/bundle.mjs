// Makes the page's folder: bundle.mjs SOURCE DIST OUT, where DIST has snowmint's wasm bundle.

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, transform } from 'esbuild'

const [source, dist, out] = process.argv.slice(2).map(name => path.resolve(name))
const target = 'es2022'

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

await build({
  entryPoints: { explorer: path.join(source, 'src/main.js') },
  alias: { snowmint: path.join(dist, 'snowmint.mjs') },
  bundle: true,
  charset: 'utf8',
  format: 'esm',
  legalComments: 'none',
  minify: true,
  outdir: out,
  target,
})
await build({
  entryPoints: { early: path.join(source, 'src/early.js') },
  bundle: true,
  format: 'iife',
  minify: true,
  outdir: out,
  target,
})
await build({
  entryPoints: { explorer: path.join(source, 'src/styles/explorer.css') },
  bundle: true,
  charset: 'utf8',
  minify: true,
  outdir: out,
})
copyFileSync(path.join(dist, 'snowmint.wasm'), path.join(out, 'snowmint.wasm'))
copyFileSync(path.join(source, 'index.html'), path.join(out, 'index.html'))
for (const name of ['icon.svg', 'manifest.webmanifest']) {
  copyFileSync(path.join(source, 'src', name), path.join(out, name))
}

// The worker's own text changes with every file, so that browsers notice a new build.
const names = readdirSync(out).sort()
const hash = createHash('sha256')
for (const name of names) hash.update(readFileSync(path.join(out, name)))
const worker = readFileSync(path.join(source, 'src/service-worker.js'), 'utf8')
  .replace('__BUILD__', hash.digest('hex').slice(0, 16))
  .replace("['__FILES__']", JSON.stringify(['./', ...names]))
const { code } = await transform(worker, { minify: true, target })
writeFileSync(path.join(out, 'service-worker.js'), code)
