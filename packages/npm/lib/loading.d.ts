// The loading of the package's engine.

/**
 * The kind of engine: `native` with the addon; `wasm` in browsers and edge runtimes, and in Node if
 * no addon fits. Sources and stores that need files or a database are `unsupported` with `wasm`.
 */
export declare const backend: 'native' | 'wasm'

/** A WebAssembly module or its place: a URL, a `Response`, its bytes, or the module itself. */
export type ModuleSource =
  | string
  | { readonly href: string }
  | { arrayBuffer(): Promise<ArrayBuffer> }
  | ArrayBuffer
  | ArrayBufferView
  | CompiledModule

/** A `WebAssembly.Module`, if the program has its type: the browser's library is not needed. */
type CompiledModule =
  typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never

/**
 * Resolves once the engine is loaded. Calls that need the engine throw `unsupported` before that.
 *
 * In a browser it fetches `snowmint.wasm` from beside the script, or from the place that you give.
 * Further calls wait for the first, or try again if that failed. A file that is no module, or a
 * module of another version, is refused as `unsupported`. With the addon, and from
 * `snowmint/inline`, it resolves at once.
 */
export declare function init(module?: ModuleSource | Promise<ModuleSource>): Promise<void>
