// How the package gets its engine.

/**
 * `native` with the addon; `wasm` in browsers and edge runtimes, and in Node where no addon fits.
 * What needs files or a database is `unsupported` there.
 */
export declare const backend: 'native' | 'wasm'

/** A WebAssembly module, or where it is: a URL, a `Response`, its bytes, or the module itself. */
export type ModuleSource =
  | string
  | { readonly href: string }
  | { arrayBuffer(): Promise<ArrayBuffer> }
  | ArrayBuffer
  | ArrayBufferView
  | CompiledModule

/** A `WebAssembly.Module`, where the program has its type: no library of the browser's is needed. */
type CompiledModule =
  typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never

/**
 * Resolves once the rest can be used. What needs the engine throws `unsupported` before that.
 *
 * In a browser it fetches `snowmint.wasm` from beside the script, unless told where it is. Further
 * calls wait for the first, or try again if that failed: what is no module, or one of another version,
 * is refused as `unsupported`. With the addon, and from `snowmint/inline`, it resolves at once.
 */
export declare function init(module?: ModuleSource | Promise<ModuleSource>): Promise<void>
