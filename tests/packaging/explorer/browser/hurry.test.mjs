// Users who are faster than the page, networks that are slower, and the focus on its way.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { FOLDER, LATER, PATIENCE_MS, TWEET, paste, start } from './page.mjs'

let site
before(async () => {
  site = await start()
})
after(() => site.end())

const focused = page => page.evaluate(() => document.activeElement.closest('.view')?.id)

/** Stops the page's clock, so that no pause ends before the test lets it. */
async function holdTime(page) {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 3_600_000)
}

test('lines that are typed change no other view, nor its link', () =>
  site.open('#many', async page => {
    await holdTime(page)
    await page.locator('#view-many').getByRole('textbox').fill(`${TWEET}\n${LATER}`)
    await page.getByRole('tab', { name: 'Range' }).click()
    const link = page.url()
    assert.match(link, /#range/)
    await page.clock.runFor(5000)
    assert.equal(page.url(), link)
    await page.getByRole('tab', { name: 'Many' }).click()
    assert.match(page.url(), /#many\?ids=/)
    assert.equal(await page.locator('#view-many .tile b').first().innerText(), '2')
  }))

test('lines that were typed under Decode do not call back who has gone on', () =>
  site.open('', async page => {
    await holdTime(page)
    await page.locator('#view-decode textarea').fill(`${TWEET}\n${LATER}\n7`)
    await page.getByRole('tab', { name: 'Design' }).click()
    await page.clock.runFor(5000)
    assert.equal(await page.locator('#view-design').isVisible(), true)
    await page.getByRole('tab', { name: 'Decode' }).click()
    assert.equal(await page.locator('#view-decode textarea').inputValue(), TWEET)
  }))

test('an example that is asked for at once is not undone by what was typed before', () =>
  site.open('#many', async page => {
    await holdTime(page)
    const many = page.locator('#view-many')
    await many.getByRole('textbox').fill(TWEET)
    await many.getByRole('button', { name: 'Example' }).click()
    await page.clock.runFor(5000)
    assert.deepEqual(await many.locator('.tile:visible b').first().allInnerTexts(), ['2,000'])
  }))

/** A log of about 300 kB, without any ID. */
const LOG = 'INFO handled in some time by aWorker1 path=/a/b status=okay\n'.repeat(5000)

/** Counts the tasks of the page's own that begin from now on, in `globalThis.turns`. */
const countTurns = page =>
  page.evaluate(() => {
    globalThis.turns = 0
    const { setTimeout: later } = globalThis
    globalThis.setTimeout = (work, ...rest) => later(() => (globalThis.turns++, work()), ...rest)
  })

test('a long text is read in many turns, and said to be none', () =>
  site.open('', async page => {
    await countTurns(page)
    await page.locator('#view-decode textarea').focus()
    await paste(page, LOG)
    await page.locator('#view-decode').getByText('looks like several words, no ID').waitFor()
    assert.equal(await page.locator('#view-decode textarea').inputValue(), '')
    assert.ok((await page.evaluate(() => globalThis.turns)) > 40)
  }))

test('a long text that is being read gives way to what is typed, and to another tab', () =>
  site.open('', async page => {
    await holdTime(page)
    const decode = page.locator('#view-decode textarea')
    await decode.focus()
    await paste(page, LOG)
    await page.locator('#view-decode').getByText('Reading…').waitFor()
    await decode.fill(LATER)
    await page.clock.runFor(60_000)
    assert.equal(await decode.inputValue(), LATER)
    await paste(page, `${LOG}${TWEET}\n${LATER}`)
    await page.getByRole('tab', { name: 'Many' }).click()
    const many = page.locator('#view-many')
    const box = many.getByRole('textbox')
    await box.focus()
    await paste(page, `${LOG}${TWEET}\n${LATER}`)
    await many.getByText('Reading…').waitFor()
    await page.getByRole('tab', { name: 'Range' }).click()
    await page.getByRole('tab', { name: 'Many' }).click()
    await page.clock.runFor(60_000)
    assert.equal(await many.locator('.tile b').first().innerText(), '2')
    await paste(page, LOG)
    await box.fill(TWEET)
    await page.clock.runFor(60_000)
    assert.equal(await box.inputValue(), TWEET)
    assert.equal(await many.locator('.tile b').first().innerText(), '1')
  }))

test('of two files the one that was chosen last is shown', () =>
  site.open('#many', async page => {
    // The first takes long to read.
    await page.evaluate(() => {
      const { text } = Blob.prototype
      const slow = new Promise(done => (globalThis.release = done))
      Blob.prototype.text = async function () {
        if (this.name === 'slow.txt') await slow
        return text.call(this)
      }
    })
    const file = page.getByLabel('Open a file')
    const of = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await file.setInputFiles(of('slow.txt', `${TWEET}\n${TWEET}\n${TWEET}`))
    await file.setInputFiles(of('fast.txt', `${TWEET}\n${LATER}`))
    const count = page.locator('#view-many .tile b').first()
    await count.getByText('2', { exact: true }).waitFor()
    await page.evaluate(async () => {
      globalThis.release()
      await new Promise(done => setTimeout(done))
    })
    assert.equal(await count.innerText(), '2')
  }))

test('a browser that takes no more URLs for a while has the right one in the end', () =>
  site.open('#design', async page => {
    // As Safari does.
    await page.evaluate(() => {
      let left = 20
      for (const method of ['pushState', 'replaceState']) {
        const write = History.prototype[method]
        History.prototype[method] = function (...state) {
          if (left-- <= 0) throw new DOMException('too many calls', 'SecurityError')
          write.apply(this, state)
        }
      }
      globalThis.forgive = () => (left = 100)
    })
    const border = page.getByRole('slider', { name: 'Border between time and worker' })
    await border.focus()
    for (let press = 0; press < 31; press++) {
      await page.keyboard.press(press % 2 ? 'ArrowRight' : 'ArrowLeft')
    }
    assert.equal(await border.getAttribute('aria-valuetext'), 'time 40 bits, worker 11 bits')
    await page.getByRole('tab', { name: 'Range' }).click()
    await page.locator('#view-range h1').waitFor()
    await page.getByRole('tab', { name: 'Design' }).click()
    await page.evaluate(() => globalThis.forgive())
    await page.waitForURL(/time:40,worker:11,/)
  }))

test('the focus goes along to another view', () =>
  site.open('', async page => {
    const input = page.locator('#view-decode textarea')
    await input.focus()
    await page.keyboard.press('Control+A')
    await paste(page, `${TWEET}\n${LATER}\n7`)
    await page.locator('#view-many .tile').first().waitFor()
    assert.equal(await focused(page), 'view-many')
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'TEXTAREA')
    await page.locator('#view-many').getByRole('link', { name: TWEET }).press('Enter')
    await page.locator('#view-decode h1').waitFor()
    assert.equal(await focused(page), 'view-decode')
    assert.equal(await page.evaluate(() => scrollY), 0)
    await page.getByRole('tab', { name: 'Decode' }).press('ArrowRight')
    assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-compare')
  }))

test('the colours that were chosen are there before the page is', () =>
  site.open(
    '',
    async page => {
      await page.getByRole('radio', { name: 'Dark' }).check()
      let release
      const held = new Promise(done => (release = done))
      await page.route('**/explorer.js', async route => {
        await held
        await route.continue()
      })
      await page.reload({ waitUntil: 'commit' })
      const scheme = () => getComputedStyle(document.documentElement).colorScheme
      // Before the style sheet is there, nothing is painted.
      await page.waitForFunction(() => document.styleSheets.length > 0)
      assert.equal(await page.evaluate(scheme), 'dark')
      release()
      await page.locator('.view:not([hidden])').waitFor()
      assert.equal(await page.evaluate(scheme), 'dark')
    },
    { colorScheme: 'light', serviceWorkers: 'block', network: false },
  ))

test('a new build gets under no open page, and is there when it is opened anew', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'snowmint-explorer-'))
  cpSync(FOLDER, folder, { recursive: true })
  const own = await start(folder)
  const icon = page => page.evaluate(async () => (await fetch('icon.svg')).text())
  try {
    await own.open('', async page => {
      await page.waitForFunction(() => navigator.serviceWorker.controller)
      const before = await icon(page)
      const worker = path.join(folder, 'service-worker.js')
      const text = readFileSync(worker, 'utf8')
      writeFileSync(worker, text.replace(/[0-9a-f]{16}/, 'next'))
      assert.notEqual(readFileSync(worker, 'utf8'), text)
      writeFileSync(path.join(folder, 'icon.svg'), `${before}<!-- next -->`)
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        await registration.update()
        const next = registration.installing ?? registration.waiting ?? registration.active
        while (!['installed', 'activated'].includes(next.state)) {
          await new Promise(done => next.addEventListener('statechange', done, { once: true }))
        }
        // Time for a worker that does not wait.
        if (next.state === 'installed') await registration.update()
      })
      assert.equal(await icon(page), before)
      await page.reload()
      await page.locator('.view:not([hidden])').waitFor()
      assert.equal(await icon(page), before)
      // Chromium under a debugger can leave a page waiting for ever that met the change of workers.
      const timeout = PATIENCE_MS / 10
      const until = Date.now() + PATIENCE_MS
      let present = before
      while (present === before && Date.now() < until) {
        await page.goto('about:blank')
        const failure = await page.goto(own.url, { timeout }).then(() => null, error => error)
        if (failure) {
          assert.equal(failure.name, 'TimeoutError')
        } else {
          await page.locator('.view:not([hidden])').waitFor()
          present = await icon(page)
        }
      }
      assert.notEqual(present, before)
    })
  } finally {
    await own.end()
    rmSync(folder, { recursive: true })
  }
})
