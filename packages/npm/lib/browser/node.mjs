// The entry for Node without an addon.

import { webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

import { initSync } from './glue/snowmint.js'
import { start } from './backend.mjs'
import { here } from './here.js'
import { platform } from '../platform.js'

start(initSync({ module: readFileSync(path.join(__dirname, 'snowmint.wasm')) }))

// Node 18 has no global `crypto`.
here.crypto = () => webcrypto
here.advice = () => {
  const addon = `@snowmint/node-${platform()}`
  const there = isInstalled(addon)
  if (process.env.SNOWMINT_BACKEND === 'wasm') {
    return `; or unset SNOWMINT_BACKEND${there ? '' : `, and install ${addon}`}`
  }
  return there ? `; or mend ${addon}: a warning said why it is not loaded` : `; or install ${addon}`
}

function isInstalled(addon) {
  try {
    createRequire(__filename).resolve(addon)
    return true
  } catch {
    return false
  }
}

export * from './index.js'

/** Resolves at once, because everything is loaded. */
export async function init() {}
