// Makes the page's folder: bundle.mjs SOURCE DIST OUT EMBEDDED, where DIST has snowmint's wasm
// bundle. EMBEDDED gets the files that a server has within its own page.

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, transform } from 'esbuild'

const [source, dist, out, embedded] = process.argv.slice(2).map(name => path.resolve(name))
const target = 'es2022'

for (const folder of [out, embedded]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

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

embed()

// The worker's text changes with every file, so that browsers notice a new build.
const names = readdirSync(out).sort()
const hash = createHash('sha256')
for (const name of names) hash.update(readFileSync(path.join(out, name)))
const worker = readFileSync(path.join(source, 'src/service-worker.js'), 'utf8')
  .replace('__BUILD__', hash.digest('hex').slice(0, 16))
  .replace("['__FILES__']", JSON.stringify(['./', ...names]))
const { code } = await transform(worker, { minify: true, target })
writeFileSync(path.join(out, 'service-worker.js'), code)

/**
 * Copies all files except those for installing the page. A server's page needs the server, so
 * nothing is kept.
 */
function embed() {
  const manifest = /^<link rel="manifest".*\n/m
  for (const name of readdirSync(out)) {
    if (name !== 'manifest.webmanifest') copyFileSync(path.join(out, name), path.join(embedded, name))
  }
  const html = readFileSync(path.join(out, 'index.html'), 'utf8')
  if (!manifest.test(html)) throw new Error('index.html: no manifest on a line of its own')
  writeFileSync(path.join(embedded, 'index.html'), html.replace(manifest, ''))
}
