// A page built by Vite, webpack and esbuild, as their users would; and a program for Node.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import esbuild from 'esbuild'
import { build as vite } from 'vite'
import webpack from 'webpack'

import { close, home, launch, opened, serve } from './chromium.mjs'
import { idService } from '../test/browser/id-service.mjs'
import { root } from '../test/reading.mjs'
import { EXPECTED } from './page.mjs'

before(launch)
after(close)

const suite = import.meta.dirname ?? new URL('.', import.meta.url).pathname

/** A page's project, with a folder for what it is built into. */
function project(t, name, entry) {
  const folder = path.join(suite, `built-${name}`)
  rmSync(folder, { recursive: true, force: true })
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'out'), { recursive: true })
  copyFileSync(path.join(suite, 'page.mjs'), path.join(folder, 'page.mjs'))
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><script type="module" src="/main.js"></script>')
  writeFileSync(path.join(folder, 'main.js'), `
    import * as snowmint from '${entry}'
    import { use } from './page.mjs'
    globalThis.result = use(snowmint)`)
  return folder
}

/** Has webpack make a bundle. */
async function compiled(config) {
  const compiler = webpack({ mode: 'production', ...config })
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, result) => (error ? reject(error) : resolve(result)))
  })
  assert.deepEqual(stats.toJson().errors, [])
}

async function agrees(t, out, page) {
  const { result, said } = await opened(t, await serve(t, { '/out/': out, ...page, '/': page['/'] ?? out }))
  const { number, ...rest } = result
  assert.deepEqual(rest, EXPECTED)
  assert.ok(number > 0)
  assert.deepEqual(said, [])
}

for (const entry of ['snowmint', 'snowmint/inline']) {
  const name = entry.replace('/', '-')

  test(`Vite, ${entry}`, async t => {
    const folder = project(t, `vite-${name}`, entry)
    await vite({ root: folder, logLevel: 'warn', build: { outDir: 'out', emptyOutDir: false }, configFile: false })
    const index = readFileSync(path.join(folder, 'out/index.html'), 'utf8')
    await agrees(t, path.join(folder, 'out'), {
      '/assets/': path.join(folder, 'out/assets'),
      '/': index,
    })
    const wasm = readdirSync(path.join(folder, 'out/assets')).filter(file => file.endsWith('.wasm'))
    assert.equal(wasm.length, entry === 'snowmint' ? 1 : 0)
  })

  test(`webpack, ${entry}`, async t => {
    const folder = project(t, `webpack-${name}`, entry)
    await compiled({
      context: folder,
      entry: './main.js',
      output: { path: path.join(folder, 'out'), filename: 'main.js', publicPath: '/out/' },
    })
    await agrees(t, path.join(folder, 'out'), { '/': '<!doctype html><script src="/out/main.js" defer></script>' })
  })

  test(`esbuild, ${entry}`, async t => {
    const folder = project(t, `esbuild-${name}`, entry)
    await esbuild.build({
      entryPoints: [path.join(folder, 'main.js')],
      outfile: path.join(folder, 'out/main.js'),
      bundle: true,
      minify: true,
      format: 'esm',
      logLevel: 'error',
    })
    // It does not copy what a script names: its user does.
    copyFileSync(path.join(home, 'dist/snowmint.wasm'), path.join(folder, 'out/snowmint.wasm'))
    await agrees(t, path.join(folder, 'out'), { '/': '<!doctype html><script type="module" src="/out/main.js"></script>' })
  })
}

test('esbuild, a page that leases', async t => {
  const { url, held } = await idService(t)
  const contents = `import { IdService, Snowflake, init } from 'snowmint'
    async function minted() {
      await init('/dist/snowmint.wasm')
      const flake = await Snowflake.open({ store: new IdService('${url}'), waitMs: 300_000 })
      const ids = [flake.nextId(), ...await flake.nextIdsAsync(10_000)]
      const workers = new Set(ids.map(id => flake.layout.decode(id).workerId))
      await flake.closeAsync()
      return [new Set(ids).size, workers.size]
    }
    globalThis.result = minted()`
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: suite }, bundle: true, minify: true, format: 'esm', write: false,
  })
  const page = await serve(t, {
    '/': '<!doctype html><script type="module" src="/main.js"></script>',
    '/main.js': outputFiles[0].text,
    '/dist/': path.join(home, 'dist'),
  }, {})
  const { result } = await opened(t, page)
  assert.deepEqual(result, [10_001, 1])
  assert.deepEqual(await held(), [])
})

/** A program for Node by its bundler, in a file of a folder; `external` is what it leaves out. */
const PROGRAMS = {
  'esbuild, as CommonJS': (folder, external) => esbuilt(folder, 'cjs', external),
  'esbuild, as ESM': (folder, external) => esbuilt(folder, 'esm', external),
  async 'Vite'(folder, external) {
    const rollupOptions = { output: { entryFileNames: 'bundle.mjs' } }
    const bundle = { outDir: folder, emptyOutDir: false, ssr: path.join(folder, 'program.js'), rollupOptions }
    const ssr = external.length > 0 ? { external } : { noExternal: true }
    await vite({ root: folder, logLevel: 'error', ssr, build: bundle, configFile: false })
    return path.join(folder, 'bundle.mjs')
  },
  'webpack, as CommonJS': (folder, external) => webpacked(folder, 'cjs', 'commonjs', external),
  'webpack, as ESM': (folder, external) => webpacked(folder, 'mjs', 'import', external),
}

async function esbuilt(folder, format, external) {
  const outfile = path.join(folder, format === 'cjs' ? 'bundle.cjs' : 'bundle.mjs')
  const entryPoints = [path.join(folder, 'program.js')]
  await esbuild.build({ entryPoints, outfile, external, format, bundle: true, platform: 'node', logLevel: 'error' })
  return outfile
}

async function webpacked(folder, ending, externalsType, externals) {
  const filename = `bundle.${ending}`
  const outputModule = ending === 'mjs'
  await compiled({
    context: folder,
    target: 'node',
    entry: './program.js',
    externals,
    externalsType,
    experiments: { outputModule },
    output: { path: folder, filename, module: outputModule, ...(outputModule && { chunkFormat: 'module' }) },
  })
  return path.join(folder, filename)
}

for (const [name, bundle] of Object.entries(PROGRAMS)) {
  test(`a program for Node, ${name}`, async t => {
    const folder = project(t, `node-${name.replace(/\W+/g, '-')}`, 'snowmint')
    writeFileSync(path.join(folder, 'program.js'), `import { backend } from 'snowmint'; console.log(backend)`)
    const within = await bundle(folder, ['snowmint'])
    assert.equal(spawnSync(process.execPath, [within], { encoding: 'utf8' }).stdout, 'native\n')
    const away = mkdtempSync(path.join(tmpdir(), 'snowmint-bundled-'))
    t.after(() => rmSync(away, { recursive: true, force: true }))
    const whole = await bundle(folder, [])
    copyFileSync(whole, path.join(away, path.basename(whole)))
    // A bundle that worked beside the platform's package would fail first in an image without it.
    const places = name === 'esbuild, as CommonJS' ? [away] : [away, folder]
    for (const [cwd, backend] of places.flatMap(place => [[place, ''], [place, 'wasm']])) {
      const env = { ...process.env, SNOWMINT_BACKEND: backend }
      const { status, stderr } = spawnSync(process.execPath, [path.basename(whole)], { cwd, encoding: 'utf8', env })
      assert.notEqual(status, 0)
      assert.match(stderr, /Leave it external where you bundle for Node.*--external:snowmint.*serverExternalPackages/)
      assert.match(stderr, /ERR_SNOWMINT_BUNDLED/)
    }
  })
}

test('a program for Node with the build for browsers, as by Rollup unless it is told', async t => {
  const folder = project(t, 'node-neutral', 'snowmint')
  writeFileSync(path.join(folder, 'program.js'), `
    import { SnowmintError, Snowflake, init } from 'snowmint'
    for (const use of [() => new Snowflake(), () => init()]) {
      try { await use() } catch (error) {
        console.log(error instanceof SnowmintError, error.code, error.number, error.message)
      }
    }`)
  const outfile = path.join(folder, 'bundle.mjs')
  const entryPoints = [path.join(folder, 'program.js')]
  await esbuild.build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'neutral', logLevel: 'error' })
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' })
  const [unloaded, missing, ...rest] = stdout.trim().split('\n')
  const advice = '; where this is bundled for Node, leave snowmint external'
  assert.equal(unloaded, `true unsupported 705 snowmint is not loaded yet: await init() first${advice}`, stderr)
  assert.match(missing, /^true unsupported 705 init needs snowmint.wasm, and file:\S+ is not to be had \(.+\): put it there, or /)
  assert.ok(missing.endsWith(advice), missing)
  assert.deepEqual(rest, [])
})

const bundlers = readFileSync(path.join(root, 'docs/frameworks/bundlers.md'), 'utf8')

/** Checks that the page's figure, in kB, is the compressed size of these bytes. */
function agreesWithPage(t, figure, bytes) {
  const compressed = gzipSync(bytes, { level: 9 }).length
  t.diagnostic(`${compressed} bytes, compressed`)
  const [, said] = figure.exec(bundlers)
  assert.ok(Math.abs(compressed - said * 1000) < 1000, `${compressed} bytes, and the page about bundlers says ${said} kB`)
}

/** The page's words on how large a file is. */
const FILES = {
  'snowmint.wasm': /`snowmint\.wasm` \| (\d+) kB/,
  'snowmint.mjs': /without a bundler \| (\d+) kB/,
  'snowmint.inline.mjs': /`snowmint\.inline\.mjs` \| (\d+) kB/,
}

for (const [file, figure] of Object.entries(FILES)) {
  test(`the size of ${file}`, t => agreesWithPage(t, figure, readFileSync(path.join(home, 'dist', file))))
}

/** Its words on what a page pays for these names, bundled and shrunk. */
const NAMES = {
  'Layout, decode, guess, init': /reads IDs \| (\d+) kB/,
  'IdService, Layout, Snowflake, decode, guess, init': /leases a worker ID \| (\d+) kB/,
}

for (const [names, figure] of Object.entries(NAMES)) {
  test(`the size of { ${names} }`, async t => {
    const contents = `import { ${names} } from 'snowmint'; globalThis.used = { ${names} }`
    const stdin = { contents, resolveDir: suite }
    const { outputFiles } = await esbuild.build({ stdin, bundle: true, minify: true, format: 'esm', write: false })
    agreesWithPage(t, figure, outputFiles[0].contents)
  })
}
