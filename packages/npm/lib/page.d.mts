// What `snowmint/page` exports: all but the deterministic form.

/** The version of the package. */
export declare const version: string

export * from './errors.js'
export * from './layout.js'
export * from './loading.js'
export * from './text.js'
export * from './sources.js'
export * from './store.js'
