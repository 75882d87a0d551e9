// The browser's classes, in Node: their modules over the addon, or with SNOWMINT_BACKEND=wasm the
// bundle for environments without one.

import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const folder = path.dirname(require.resolve('snowmint/package.json'))
const isWasm = process.env.SNOWMINT_BACKEND === 'wasm'

/** Returns the exports of a module of the package. */
export function inside(name) {
  // The clock needs no engine, and is no part of what is exported.
  const isBundled = isWasm && !/(anchor|clock)\.js$/.test(name)
  return require(path.join(folder, isBundled ? 'dist/snowmint.node.cjs' : `lib/${name}`))
}

if (!isWasm) {
  // The addon takes times as bigints, and gives arrays of its own.
  const native = inside('native.js')
  native.machineIdAt ??= (machine, now) => native.machineNextId(machine, BigInt(now))
  native.machineFill ??= (machine, ids, count, now) => {
    ids.set(native.machineIssue(machine, count, BigInt(now)))
    return count
  }
}
