'use strict'
// Loads the addon, or the WebAssembly if no addon fits.

const WASM = '../dist/snowmint.node.cjs'
const BACKENDS = ['native', 'wasm']

function load() {
  const { SNOWMINT_ADDON: asked, SNOWMINT_BACKEND: wanted } = process.env
  if (wanted && !BACKENDS.includes(wanted)) throw unknown(wanted)
  if (wanted === 'wasm') return wasm()
  try {
    // Returns a value that is used: webpack drops modules without side effects if nothing uses
    // their values.
    return require('./addon.js')
  } catch (error) {
    if (isOfBundler(error)) throw bundled(error)
    if (wanted === 'native' || asked || error.code !== 'ERR_SNOWMINT_ADDON') throw error
    const module = wasm(error)
    process.emitWarning(`${error.message}\nIt runs on WebAssembly, without files and databases.`, {
      code: 'SNOWMINT_WASM',
    })
    return module
  }
}

function wasm(instead) {
  try {
    return require(WASM)
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND' || isOfBundler(error)) throw bundled(instead ?? error)
    throw error
  }
}

/**
 * Returns true if a bundler caused the error. webpack's `require` does not find computed names, and
 * in ESM made of this file there is no `require`, `__dirname` or `__filename`.
 */
function isOfBundler({ message }) {
  return typeof __webpack_require__ === 'function' || /^(Dynamic require of |(require|__(?:dir|file)name) is not defined)/.test(message)
}

function bundled(cause) {
  return coded('ERR_SNOWMINT_BUNDLED', (
    'snowmint is not beside its own files, as where a bundler has put it into another. Leave it ' +
    "external where you bundle for Node, and install it beside the bundle: --external:snowmint " +
    "(esbuild), externals: ['snowmint'] (webpack), external: ['snowmint'] (Rollup, Vite's " +
    "ssr), serverExternalPackages: ['snowmint'] (Next.js)."
  ), cause)
}

function unknown(wanted) {
  return coded('ERR_SNOWMINT_BACKEND', (
    `SNOWMINT_BACKEND=${JSON.stringify(wanted)} is not possible: use ${BACKENDS.join(' or ')}, or unset it`
  ))
}

function coded(code, message, cause) {
  return Object.assign(new Error(message, { cause }), { code })
}

module.exports = load()
