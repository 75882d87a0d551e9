// The page's bundle with the deterministic form.

export * from './async.mjs'
export { engine } from './engine.js'
