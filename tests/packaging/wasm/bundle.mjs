// Bundles the browser's half of the package that is staged in the folder given. The module is in its
// dist already; the second argument is the file that says what its exports are called there.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import esbuild from 'esbuild'

const home = path.resolve(process.argv[2])
const browser = path.join(home, 'lib/browser')
const backend = path.join(browser, 'backend.js')
const { exports } = JSON.parse(await readFile(process.argv[3], 'utf8'))
const shortNames = new Map(exports)

/**
 * Reads the package's CommonJS as the ESM that it could be: bundled, a third of it goes.
 * The modules keep to three forms: require of a whole, of names, and module.exports of names.
 */
function asEsm(text, file) {
  const esm = text
    .replace(/^const (\w+) = require\((.*)\)$/gm, 'import * as $1 from $2')
    .replace(/^const (\{[^}]*\}) = require\((.*)\)$/gm, (_, names, from) => `import ${names.replaceAll(':', ' as')} from ${from}`)
    .replace(/^module\.exports = (\{[^}]*\})$/m, (_, names) => `export ${names.replace(/(\w+): (\w+)/g, '$2 as $1')}`)
    // Errors and consoles name classes.
    .replace(/^class (\w+)[^{]*\{/gm, "$& static get name() { return '$1' }")
  if (/\b(require\(|module\.exports)/.test(esm)) throw new Error(`${file}: not in one of the three forms`)
  return esm
}

/** The text with the exports' short names. */
function withShortNames(text) {
  const short = name => shortNames.get(name) ?? fail(name)
  return text
    .replace(/\bwasm\.(\w+)/g, (_, name) => `wasm.${short(name)}`)
    .replace(/'(free\w+)'/g, (_, name) => `'${short(name)}'`)
}

function fail(name) {
  throw new Error(`the module exports no ${name}`)
}

const plugin = {
  name: 'snowmint',
  setup(build) {
    build.onResolve({ filter: /\/native\.js$/ }, () => ({ path: backend }))
    build.onResolve({ filter: /^snowmint\.wasm$/ }, () => ({ path: path.join(home, 'dist/snowmint.wasm') }))
    build.onLoad({ filter: /\/lib\/.*\.js$/ }, async ({ path: file }) => {
      const text = asEsm(await readFile(file, 'utf8'), file)
      return { contents: file === backend ? withShortNames(text) : text, loader: 'js' }
    })
  },
}

const shared = {
  outdir: path.join(home, 'dist'),
  bundle: true,
  minify: true,
  // As old as WebAssembly's bigints allow.
  target: ['es2022'],
  loader: { '.wasm': 'binary' },
  legalComments: 'none',
  plugins: [plugin],
}
await esbuild.build({
  ...shared,
  entryPoints: {
    snowmint: path.join(browser, 'async.mjs'),
    'snowmint.inline': path.join(browser, 'inline.mjs'),
  },
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  platform: 'neutral',
})
// For Node without an addon, in both of its module systems.
await esbuild.build({
  ...shared,
  entryPoints: { 'snowmint.node': path.join(browser, 'node.mjs') },
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  platform: 'node',
})
