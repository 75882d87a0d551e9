// `snowmint serve` with a page for operators, and Chromium that looks at it.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { DESKTOP, EXECUTABLE, FLAGS, PATIENCE_MS, watch, watchPolicy } from '../browser/page.mjs'

const SNOWMINT = process.env.SNOWMINT
const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * Starts a server with `tags`, each a source, and others by their `lines`: `{ url, ids, write,
 * mint, signal, stop }`.
 */
export async function serve(tags, lines = '', others = '') {
  const folder = mkdtempSync(path.join(tmpdir(), 'snowmint-page-'))
  const run = (...words) => execFileSync(SNOWMINT, words, { cwd: folder })
  run('segment', 'create', 'sqlite:ids.db?create=true', 'first')
  const write = (more, text = lines) =>
    writeFileSync(
      path.join(folder, 'serve.toml'),
      `${others}[leases]\nstore = 'sqlite:ids.db'\n[sources]\n${text}` +
        more.map(tag => `'${tag}' = 'segment+sqlite:ids.db?tag=${tag}&step=10'\n`).join(''),
    )
  const start = async () => {
    const command = ['serve', '--config', 'serve.toml', '--resp-listen', '']
    const listen = ['--http-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0']
    const process = spawn(SNOWMINT, [...command, ...listen], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    const found = words => said.match(new RegExp(`${words} on (http://\\S+)`))?.[1]
    await new Promise(resolve => {
      process.stderr.on('data', bytes => {
        said += bytes
        if (found('for operators')) resolve()
      })
      process.once('exit', resolve)
    })
    assert.ok(found('for operators'), said)
    return { process, url: `${found('for operators')}/`, ids: found('listening') }
  }
  const stop = async ({ process }) => {
    const ended = new Promise(resolve => process.once('exit', resolve))
    process.kill('SIGTERM')
    await ended
  }
  write([])
  let server = await start()
  const post = (route, body) =>
    fetch(`${server.url}admin/${route}`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(body),
    })
  for (const tag of tags) {
    const made = await post('tags/create', { store: 'sqlite:ids.db', tag, step: '10' })
    assert.equal(made.status, 200, tag)
  }
  write(tags)
  const reloaded = await post('reload', {})
  assert.equal(reloaded.status, 200)
  return {
    url: server.url,
    ids: server.ids,
    write,
    mint: (tag, count) =>
      fetch(`${server.ids}/v1/ids/${tag}?count=${count}`, { method: 'POST' }),
    signal: name => server.process.kill(name),
    stop: async () => {
      await stop(server)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Starts the browser: `open` has the page at a hash as long as `use` runs. */
export async function browse(url) {
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: FLAGS,
    timeout: PATIENCE_MS,
  })
  async function open(hash, use, options = {}) {
    const { refusals = false, ...rest } = options
    const context = await browser.newContext({ viewport: DESKTOP, ...rest })
    context.setDefaultTimeout(PATIENCE_MS)
    await context.addInitScript(watchPolicy)
    const page = await context.newPage()
    const wrong = watch(page, url)
    try {
      await page.goto(url + hash)
      await page.locator('.view:not([hidden])').waitFor()
      await use(page, context)
      for (const frame of page.frames()) {
        wrong.push(...(await frame.evaluate(() => globalThis.violations ?? [])))
      }
      // The browser itself reports each answer that refuses or does not come.
      const isRefusal = text => /the server responded|net::ERR_/.test(text)
      const others = wrong.filter(text => !(refusals && isRefusal(text)))
      assert.deepEqual(others, [])
    } finally {
      await context.close()
    }
  }
  return { open, end: () => browser.close() }
}
