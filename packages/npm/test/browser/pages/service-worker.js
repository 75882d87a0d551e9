import * as snowmint from '/dist/snowmint.inline.mjs'
import { serve } from '/pages/minting.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', event => event.waitUntil(clients.claim()))
serve(snowmint)
