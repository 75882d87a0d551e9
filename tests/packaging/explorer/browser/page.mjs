// Chromium with the page in it. Whatever a page reports as wrong fails its test.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { serve } from '../serve.mjs'

export const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
]

/** The longest wait for what must come: no machine is slower, and none has to be faster. */
export const PATIENCE_MS = 300_000

export const FOLDER = process.env.SNOWMINT_EXPLORER
const SHOTS = process.env.SNOWMINT_SHOTS
export const DESKTOP = { width: 1280, height: 860 }
export const PHONE = { width: 360, height: 740 }

/** Two IDs of Twitter, and one of Discord. */
export const TWEET = '1541815603606036480'
export const LATER = '1541815616063111168'
export const DISCORD = '175928847299117063'

/** Serves the folder and starts the browser: `{ url, asked, open, end }`. */
export async function start(folder = FOLDER) {
  const server = await serve(folder, '/tools/ids/')
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: FLAGS,
    timeout: PATIENCE_MS,
  })

  /** Opens the page at a hash, in a context of its own, for as long as `use` runs. */
  async function open(hash, use, options = {}) {
    const { network = true, ...rest } = options
    const context = await browser.newContext({
      viewport: DESKTOP,
      serviceWorkers: 'allow',
      ...rest,
    })
    context.setDefaultTimeout(PATIENCE_MS)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await context.addInitScript(watchPolicy)
    const page = await context.newPage()
    const wrong = watch(page, server.url)
    try {
      await page.goto(server.url + hash)
      await page.locator('.view:not([hidden])').waitFor()
      await use(page, context)
      wrong.push(...(await page.evaluate(() => globalThis.violations ?? [])))
      if (network) assert.deepEqual(wrong, [])
    } finally {
      await context.close()
    }
  }

  async function end() {
    await browser.close()
    await server.stop()
  }

  return { server, url: server.url, asked: server.asked, open, end }
}

/** Runs in the page: collects what its policy forbade. */
export function watchPolicy() {
  globalThis.violations = []
  addEventListener('securitypolicyviolation', event => {
    globalThis.violations.push(`policy: ${event.violatedDirective} ${event.blockedURI}`)
  })
}

export function watch(page, url) {
  const wrong = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) wrong.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => wrong.push(`error: ${error.stack}`))
  page.on('request', request => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url))
      wrong.push(`request: ${request.url()}`)
  })
  return wrong
}

/** Keeps what the page looks like, for people to look at. */
export async function shoot(page, name) {
  mkdirSync(SHOTS, { recursive: true })
  const file = path.join(SHOTS, `${name}.png`)
  await page.screenshot({ path: file, fullPage: true, animations: 'disabled' })
}

/** Presses a button that copies; what is on the clipboard then. */
export async function copied(page, button) {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await button.click()
  const text = await page.waitForFunction(() => navigator.clipboard.readText())
  return text.jsonValue()
}

/** Pastes a text where the focus is. */
export async function paste(page, text) {
  await page.evaluate(given => navigator.clipboard.writeText(given), text)
  await page.keyboard.press('Control+V')
}
