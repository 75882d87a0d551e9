// Makes the explorer's folder, and that of a server's page with the explorer in it:
// bundle.mjs EXPLORER PAGE DIST OUT EMBEDDED, where DIST has snowmint's wasm bundle, OUT gets the
// explorer and EMBEDDED the page.

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, transform } from 'esbuild'

const [source, page, dist, out, embedded] = process.argv.slice(2).map(name => path.resolve(name))
const target = 'es2022'

for (const folder of [out, embedded]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

await pack('esm', path.join(out, 'explorer'), source, 'src/main.js', 'src/styles/explorer.css')
await pack('iife', path.join(out, 'early'), source, 'src/early.js')
copyFileSync(path.join(dist, 'snowmint.wasm'), path.join(out, 'snowmint.wasm'))
copyFileSync(path.join(source, 'index.html'), path.join(out, 'index.html'))
for (const name of ['icon.svg', 'manifest.webmanifest']) {
  copyFileSync(path.join(source, 'src', name), path.join(out, name))
}

await pack('esm', path.join(embedded, 'page'), page, 'src/main.js', 'src/page.css')
copyFileSync(path.join(page, 'index.html'), path.join(embedded, 'index.html'))
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

/** Writes a module, a style or both under one name, each with all that it imports. */
function pack(format, to, folder, ...names) {
  return build({
    entryPoints: names.map(name => ({ in: path.join(folder, name), out: path.basename(to) })),
    alias: { snowmint: path.join(dist, 'snowmint.mjs') },
    bundle: true,
    charset: 'utf8',
    format,
    legalComments: 'none',
    minify: true,
    outdir: path.dirname(to),
    target,
  })
}

/**
 * Copies all files except those for installing the explorer. A server's page needs the server, so
 * nothing is kept.
 */
function embed() {
  const folder = path.join(embedded, 'explorer')
  const manifest = /^<link rel="manifest".*\n/m
  mkdirSync(folder)
  for (const name of readdirSync(out)) {
    if (name !== 'manifest.webmanifest') copyFileSync(path.join(out, name), path.join(folder, name))
  }
  const html = readFileSync(path.join(out, 'index.html'), 'utf8')
  if (!manifest.test(html)) throw new Error('index.html: no manifest on a line of its own')
  writeFileSync(path.join(folder, 'index.html'), html.replace(manifest, ''))
}
