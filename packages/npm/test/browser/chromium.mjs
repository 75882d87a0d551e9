// Chromium, and a server for its pages: the package's bundle under /dist, the tests' own under
// /pages; what is posted to /ids is kept.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { PATIENCE_MS } from './id-service.mjs'

const require = createRequire(import.meta.url)
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }
const FOLDERS = {
  dist: path.join(path.dirname(require.resolve('snowmint/package.json')), 'dist'),
  pages: fileURLToPath(new URL('pages', import.meta.url)),
}

async function answer(request, response, kept) {
  const [, folder, name] = new URL(request.url, 'http://page').pathname.split('/')
  if (folder === 'ids') {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    kept.push(Buffer.concat(chunks))
    return response.end()
  }
  if (!Object.hasOwn(FOLDERS, folder)) return response.writeHead(404).end()
  const bytes = await readFile(path.join(FOLDERS[folder], path.basename(name)))
  response.writeHead(200, {
    'content-type': TYPES[path.extname(name)],
    'service-worker-allowed': '/',
  })
  response.end(bytes)
}

/** The pages' server, for as long as the test runs. */
export async function pageServer(t) {
  const kept = []
  const server = createServer((request, response) => {
    answer(request, response, kept).catch(error => response.writeHead(500).end(String(error)))
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  // A name that counts as secure, for Web Locks.
  const url = `http://localhost:${server.address().port}`
  return { url, kept, page: `${url}/pages/index.html` }
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
      '--disable-background-networking', '--disable-component-update',
    ],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    timeout: PATIENCE_MS,
  })
}

/** A profile of its own, for as long as the test runs. */
export async function profile(t, browser) {
  const context = await browser.newContext()
  t.after(() => context.close())
  context.setDefaultTimeout(PATIENCE_MS)
  return context
}

/** A tab with the package loaded. */
export async function openTab(context, address) {
  const tab = await context.newPage()
  await tab.goto(address)
  await isReady(tab)
  return tab
}

export function isReady(tab) {
  return tab.waitForFunction(() => window.isReady)
}
