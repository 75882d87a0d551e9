import * as snowmint from '/dist/snowmint.mjs'
import { serve } from '/pages/minting.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', event => event.waitUntil(clients.claim()))
serve(snowmint, snowmint.init())
