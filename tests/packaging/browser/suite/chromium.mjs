// Chromium, and servers of static files for its pages.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'

const require = createRequire(import.meta.url)
/** The installed package. */
export const home = path.dirname(require.resolve('snowmint/package.json'))
/** The strictest policy that WebAssembly runs under. */
export const CSP = "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"

const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json',
  '.wasm': 'application/wasm',
}
const ARGUMENTS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
]

/**
 * Serves files for as long as the test runs, and says where. A place is a text, or the path of a
 * folder for names that begin with its key.
 */
export async function serve(t, places, headers = { 'content-security-policy': CSP }) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://page')
    try {
      const body = await bodyOf(places, pathname)
      response.writeHead(200, { 'content-type': TYPES[path.extname(pathname)] ?? 'text/html', ...headers })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${server.address().port}`
}

function bodyOf(places, pathname) {
  if (pathname === '/favicon.ico') return ''
  if (typeof places[pathname] === 'string' && !path.isAbsolute(places[pathname])) return places[pathname]
  const prefix = Object.keys(places).find(key => key.endsWith('/') && key !== '/' && pathname.startsWith(key))
    ?? (path.isAbsolute(places['/'] ?? '') ? '/' : undefined)
  return readFile(path.join(places[prefix], pathname.slice(prefix.length)))
}

/** The longest that a page may take: what never comes has to end, and no machine is slower. */
const PATIENCE_MS = 300_000

let browser

/** One browser for all tests of a file; `close` ends it. */
export async function launch() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  browser = await chromium.launch({ executablePath, args: ARGUMENTS, timeout: PATIENCE_MS })
}

export function close() {
  return browser.close()
}

/** Opens a page, which says what it has to say by `globalThis.result`, a promise. */
export async function opened(t, url) {
  const context = await browser.newContext()
  t.after(() => context.close())
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const said = []
  page.on('console', message => said.push(message.text()))
  const broken = new Promise((_, reject) => page.on('pageerror', reject))
  broken.catch(error => said.push(String(error)))
  const answer = async () => {
    await page.goto(url)
    await page.waitForFunction(() => 'result' in globalThis)
    return page.evaluate(late => Promise.race([
      globalThis.result,
      new Promise((_, reject) => setTimeout(reject, late, new Error('no result in time'))),
    ]), PATIENCE_MS)
  }
  const result = await Promise.race([answer(), broken])
    .catch(error => assert.fail([`the page at ${url}: ${error}`, ...said].join('\n')))
  return { page, said, result }
}
