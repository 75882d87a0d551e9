export * from './index.js'
declare const snowmint: typeof import('./index.js')
export default snowmint
