'use strict'
// The addon, or where none fits the WebAssembly.

const WASM = '../dist/snowmint.node.cjs'

function load() {
  const { SNOWMINT_ADDON: asked, SNOWMINT_BACKEND: wanted } = process.env
  if (wanted === 'wasm') return require(WASM)
  try {
    require('./native.js')
  } catch (error) {
    if (wanted === 'native' || asked || error.code !== 'ERR_SNOWMINT_ADDON') throw error
    process.emitWarning(`${error.message}\nIt runs on WebAssembly, without files and databases.`, {
      code: 'SNOWMINT_WASM',
    })
    return require(WASM)
  }
  return require('./addon.js')
}

module.exports = load()
