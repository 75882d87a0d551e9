// Keeps the page for use without a network: all of its files, from one build.

/* Packing the page replaces these values by the build's name and files. */
const BUILD = '__BUILD__'
const FILES = ['__FILES__']
/** The addresses of the files. The worker ignores other requests. */
const OWN = new Set(FILES.map(file => new URL(file, self.location).href))
const NAME = `snowmint-explorer-${BUILD}`

// A new build waits until every page of the last one is closed, so that no page gets files of both.
self.addEventListener('install', event => {
  const requests = FILES.map(file => new Request(file, { cache: 'reload' }))
  event.waitUntil(caches.open(NAME).then(cache => cache.addAll(requests)))
})

self.addEventListener('activate', event => {
  event.waitUntil(dropOthers().then(() => self.clients.claim()))
})

self.addEventListener('fetch', event => {
  const { method, url } = event.request
  if (method !== 'GET' || !OWN.has(url.split(/[?#]/)[0])) return
  event.respondWith(answer(event.request))
})

async function dropOthers() {
  const names = await caches.keys()
  const others = names.filter(name => name.startsWith('snowmint-explorer-') && name !== NAME)
  await Promise.all(others.map(name => caches.delete(name)))
}

async function answer(request) {
  const cache = await caches.open(NAME)
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request)
}
