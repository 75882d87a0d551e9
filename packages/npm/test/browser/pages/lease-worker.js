import * as snowmint from '/dist/snowmint.page.mjs'
import lease from '/dist/snowmint.lease.mjs'

import { serve } from '/pages/minting.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', event => event.waitUntil(clients.claim()))
const isGiven = location.search !== '?none'
serve(snowmint, snowmint.init(undefined, isGiven ? lease : undefined))
