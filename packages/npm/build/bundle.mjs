// Bundles the browser part of the package that is staged in the given folder. The module and its
// glue must have been generated there.

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rollup } from '@rollup/wasm-node'
import { minify } from 'terser'

const home = path.resolve(process.argv[2])
const browser = path.join(home, 'lib/browser')
const dist = path.join(home, 'dist')

/**
 * Rewrites the package's CommonJS as ESM, so that users' bundlers can drop the code that a page
 * does not use. The modules keep to three forms: require of a whole, of names, and module.exports
 * of names.
 */
function asEsm(text, file) {
  const esm = text
    .replace(/^const (\{[^}]*\}|\w+) = require\('(.*)'\)$/gm, (_, names, from) => (
      `import ${names.startsWith('{') ? names.replaceAll(':', ' as') : `* as ${names}`} from '${from}'`
    ))
    .replace(/^module\.exports = (\{[^}]*\})$/m, (_, names) => (
      `export ${names.replace(/(\w+): (\w+)/g, '$2 as $1')}`
    ))
  if (/\b(require\(|module\.exports)/.test(esm)) throw new Error(`${file}: not in one of the three forms`)
  return esm
}

const plugin = {
  name: 'snowmint',
  resolveId(from) {
    // The module that stands for the addon.
    return path.basename(from) === 'native.js' ? path.join(browser, 'backend.mjs') : null
  },
  async load(file) {
    if (!file.endsWith('.wasm')) return null
    const text = (await readFile(file)).toString('base64')
    return `export default Uint8Array.from(atob('${text}'), sign => sign.charCodeAt(0))`
  },
  transform(text, file) {
    if (file.endsWith('.json')) return `export const version = '${JSON.parse(text).version}'`
    return file.endsWith('.js') && !file.includes('/glue/') ? asEsm(text, file) : null
  },
}

/** Returns the code of an entry and its modules as one text. */
async function joined(entry, format) {
  const bundled = await rollup({
    input: path.join(browser, entry),
    external: /^node:/,
    plugins: [plugin],
    onwarn({ message }) {
      throw new Error(message)
    },
  })
  const { output: [{ code }] } = await bundled.generate({ format, interop: 'default' })
  return code
}

/** Writes a bundle that pages load. */
async function bundle(entry, name) {
  const { code: small } = await minify(await joined(entry, 'es'), {
    module: true,
    ecma: 2022,
    // Errors and consoles show the names of classes.
    keep_classnames: true,
    // These annotations tell users' bundlers which code they may drop.
    format: { preserve_annotations: true },
  })
  await writeFile(path.join(dist, name), small)
}

/**
 * Returns the module with a custom section that contains its version. `init` refuses other
 * versions.
 */
async function versioned() {
  const { version } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8'))
  const content = Buffer.from(`\x08snowmint${version}`)
  const module = await readFile(path.join(browser, 'glue/snowmint_bg.wasm'))
  return Buffer.concat([module, Buffer.from([0, content.length]), content])
}

await writeFile(path.join(dist, 'snowmint.wasm'), await versioned())
await bundle('async.mjs', 'snowmint.mjs')
await bundle('inline.mjs', 'snowmint.inline.mjs')
// For Node without an addon, in both module systems. It is not minified, because Node prints the
// source line of an uncaught error.
await writeFile(path.join(dist, 'snowmint.node.cjs'), await joined('node.mjs', 'cjs'))
