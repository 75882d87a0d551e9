// Bundles the browser's half of the package that is staged in the folder given. The module is in its
// dist already; the second argument is the file that says what its exports are called there.

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import esbuild from 'esbuild'
import { minify } from 'terser'

const home = path.resolve(process.argv[2])
const lib = path.join(home, 'lib')
const browser = path.join(lib, 'browser')
const dist = path.join(home, 'dist')
const backend = path.join(browser, 'backend.js')
/** Errors and consoles name these classes. */
const NAMED = /^(ClockPolicy|IdService|Layout|Range|Segment|SegmentBuffer|Snowflake|SnowmintError|UuidSource)$/
const { exports } = JSON.parse(await readFile(process.argv[3], 'utf8'))
const shortNames = new Map(exports)

const rest = path.join(browser, 'backend.client.js')
/** The modules of the client that leases and fetches; all others are the core's. */
const CLIENT = [
  'lease.js', 'anchor.js', 'backend.client.js', 'fetching.js', 'keeper.js', 'requests.js', 'slots.js', 'troubles.js',
  'urls.js',
].map(name => path.join(browser, name)).concat(path.join(lib, 'ranges.js'))

const REQUIRE = /^const (\{[^}]*\}|\w+) = require\('(.*)'\)$/gm

/**
 * Reads the package's CommonJS as the ESM that it could be: bundled, a third of it goes.
 * The modules keep to three forms: require of a whole, of names, and module.exports of names.
 */
function asEsm(text, file) {
  const esm = text
    .replace(REQUIRE, (_, names, from) => (
      `import ${names.startsWith('{') ? names.replaceAll(':', ' as') : `* as ${names}`} from '${from}'`
    ))
    .replace(/^module\.exports = (\{[^}]*\})$/m, (_, names) => `export ${names.replace(/(\w+): (\w+)/g, '$2 as $1')}`)
  if (/\b(require\(|module\.exports)/.test(esm)) throw new Error(`${file}: not in one of the three forms`)
  return esm
}

/** The text with the exports' short names. */
function withShortNames(text) {
  const short = name => shortNames.get(name) ?? fail(name)
  return text
    .replace(/\bwasm\.(\w+)/g, (_, name) => `wasm.${short(name)}`)
    // Those that nobody uses can go.
    .replace(/= method\(/g, '= /* @__PURE__ */ method(')
    .replace(/\b(method|call)\('(\w+)'/g, (_, called, name) => `${called}('${short(name)}'`)
    .replace(/'(free\w+)'/g, (_, name) => `'${short(name)}'`)
}

function fail(name) {
  throw new Error(`the module exports no ${name}`)
}

/** Where a module finds the engine: `native.js` stands for the addon. */
function resolved(from, importer) {
  const module = path.resolve(path.dirname(importer), from)
  if (path.basename(module) !== 'native.js') return module
  return CLIENT.includes(importer) ? rest : backend
}

/** What the client takes from the core: [module, name], in the order in which it is handed over. */
async function shared() {
  const pairs = new Map()
  for (const file of CLIENT) {
    const text = await readFile(file, 'utf8')
    for (const [, names, from] of text.matchAll(REQUIRE)) {
      const module = resolved(from, file)
      if (CLIENT.includes(module)) continue
      const used = names.startsWith('{') ? /(\w+)/g : new RegExp(`(?<![/\\w])${names}\\.(\\w+)`, 'g')
      for (const [, name] of (names.startsWith('{') ? names : text).matchAll(used)) {
        pairs.set(`${module} ${name}`, [module, name])
      }
    }
  }
  return [...pairs.values()]
}

/** The client of a whole: it is there already. */
const WHOLE_CLIENT = "import * as lease from './lease.js'\nexport const client = async () => lease"

const pairs = await shared()
const handed = pairs.map(([module, name], at) => `import { ${name} as core${at} } from '${module}'`).join('\n')
const core = `${handed}\nexport const core = () => [${pairs.map((_, at) => `core${at}`)}]`

/**
 * How a side is put together: the `core`, which loads the client late; the `client`, to which the
 * core hands itself over; or the `whole`, with both in it.
 */
function plugin(side) {
  return {
    name: 'snowmint',
    setup(build) {
      build.onResolve({ filter: /\/native\.js$/ }, ({ path: from, importer }) => ({ path: resolved(from, importer) }))
      build.onResolve({ filter: /^snowmint\.wasm$/ }, () => ({ path: path.join(dist, 'snowmint.wasm') }))
      build.onResolve({ filter: /^snowmint:core$/ }, () => ({ path: 'core', namespace: 'core' }))
      build.onLoad({ filter: /./, namespace: 'core' }, () => ({ contents: core, resolveDir: browser }))
      build.onResolve({ filter: /\/snowmint\.lease\.mjs$/ }, () => ({ path: './snowmint.lease.mjs', external: true }))
      if (side === 'core') {
        build.onResolve({ filter: /\/client\.js$/ }, () => ({ path: path.join(browser, 'client.late.mjs') }))
      }
      build.onLoad({ filter: /\/lib\/.*\.js$/ }, async ({ path: file }) => {
        if (side === 'client' && !CLIENT.includes(file)) return handedOver(file)
        if (file.endsWith('/client.js')) return { contents: WHOLE_CLIENT }
        const text = asEsm(await readFile(file, 'utf8'), file)
        return { contents: /\/backend\b/.test(file) ? withShortNames(text) : text }
      })
    },
  }
}

/** A module of the core as the client sees it: `core` is what was handed over. */
function handedOver(file) {
  const lines = pairs.flatMap(([module, name], at) => module === file ? [`export const ${name} = core[${at}]`] : [])
  return { contents: lines.join('\n') }
}

async function bundled(entry, side, options) {
  const { outputFiles: [{ text }] } = await esbuild.build({
    entryPoints: [path.join(browser, entry)],
    bundle: true,
    write: false,
    // As old as WebAssembly's bigints allow.
    target: 'es2022',
    loader: { '.wasm': 'binary' },
    legalComments: 'none',
    logOverride: { 'import-is-undefined': 'error' },
    format: 'esm',
    platform: 'neutral',
    plugins: [plugin(side)],
    ...options,
  })
  return text
}

/** The text with classes under their own names again: esbuild made variables of them. */
function withNames(text) {
  const inner = new Map()
  return text
    .replace(/^var (\w+) = class(?: (_\w+))?(.*)/gm, (_, name, self, rest) => {
      inner.set(self, name)
      // The second of a name has a number at the end.
      const named = /\d$/.test(name) ? ` static get name() { return '${name.slice(0, -1)}' }` : ''
      return `class ${name}${rest}${named}`
    })
    .replace(/\b_[A-Z]\w*/g, name => inner.get(name) ?? name)
}

/** Properties that core and client know, and nobody else: one letter will do. */
const INTERNAL = /^(fetching|held|leaps|look|news|offset|onLook|opened|pause|rest|undo|want|within)$/
let props

/** esbuild puts the modules together; terser makes a twentieth less of them than it does. */
async function write(name, text, module) {
  const nameCache = { props }
  const { code } = await minify(withNames(text), {
    module,
    nameCache,
    ecma: 2022,
    compress: { passes: 3, toplevel: true, keep_fargs: false, unsafe_arrows: true, unsafe_methods: true },
    mangle: { toplevel: true, properties: { regex: INTERNAL } },
    keep_classnames: NAMED,
  })
  props = nameCache.props
  await writeFile(path.join(dist, name), code)
}

await write('snowmint.mjs', await bundled('whole.mjs', 'core'), true)
await write('snowmint.page.mjs', await bundled('async.mjs', 'core'), true)
// A function of what the core hands over: each core there is gets a client of its own.
const client = await bundled('lease.js', 'client')
const [, body, names] = /^([^]*)export (\{[^}]*\});\n$/.exec(client)
await write('snowmint.lease.mjs', `export default core => {${body}return ${names}}`, true)
await write('snowmint.inline.mjs', await bundled('inline.mjs', 'whole'), true)
// For Node without an addon, in both of its module systems.
await write('snowmint.node.cjs', await bundled('node.mjs', 'whole', { format: 'cjs', platform: 'node' }), false)
