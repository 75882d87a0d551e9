// The types of a page's project: the DOM's, and none of Node's.

import { Layout, backend, decode, guess, init } from 'snowmint'
import * as inline from 'snowmint/inline'

await init()
await init(fetch('/snowmint.wasm'))
await init(new URL('snowmint.wasm', import.meta.url))
await inline.init()

const which: 'native' | 'wasm' = backend
const time: Date = decode(1541815603606036480n, Layout.TWITTER).time
const name: string | undefined = guess('1541815603606036480')[0]?.name
const number: number = Layout.COSID_JS_MS.toNumber(7n)
const same: typeof decode = inline.decode

// @ts-expect-error a number loses digits
decode(1541815603606036480)

export { name, number, same, time, which }
