// For everybody, everywhere: keyboard, screen readers, both themes, phones, no network, no leaks.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { DESKTOP, FOLDER, PHONE, shoot, start } from './page.mjs'

let site
before(async () => {
  site = await start()
})
after(() => site.end())

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const VIEWS = ['decode', 'compare', 'many', 'range', 'design']

/** Fails for what axe finds, in what the page has come to: colours on their way are nobody's. */
async function assertAccessible(page, about) {
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map(animation => animation.finished)),
  )
  const { violations } = await page.evaluate(
    `${axe}; axe.run(document, { resultTypes: ['violations'] })`,
  )
  const found = violations.map(({ id, nodes }) => {
    const targets = nodes.slice(0, 3).map(({ target }) => target)
    return `${id}: ${targets.join(' ')}`
  })
  assert.deepEqual(found, [], about)
}

for (const colorScheme of ['light', 'dark']) {
  for (const [size, viewport] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ]) {
    for (const view of VIEWS) {
      test(`${view}, ${colorScheme}, ${size}: accessible, and as wide as the window`, () =>
        site.open(
          `#${view}`,
          async page => {
            if (view === 'many')
              await page.locator('#view-many').getByRole('button', { name: 'Example' }).click()
            await shoot(page, `${view}-${colorScheme}-${size}`)
            for (const summary of await page.locator('.view:not([hidden]) summary:visible').all())
              await summary.click()
            await assertAccessible(page)
            const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
            assert.ok(
              await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
              `${scrollWidth} > ${clientWidth}`,
            )
          },
          { colorScheme, viewport },
        ))
    }
  }
}

test('states that are wrong or empty are accessible as well', async () => {
  for (const hash of [
    '#decode?id=nö',
    '#decode?id=',
    '#many',
    '#compare?a=1&b=x',
    '#range?from=never',
    '#design?tick=0',
  ]) {
    await site.open(hash, page => assertAccessible(page, hash))
  }
})

test(
  'by keyboard alone: everything is reached, seen and named, and nothing holds the ' + 'focus',
  async () => {
    for (const view of VIEWS) {
      await site.open(`#${view}`, async page => {
        const seen = []
        for (let presses = 0; presses < 200; presses++) {
          await page.keyboard.press('Tab')
          const focus = await page.evaluate(describeFocus)
          if (focus === null) break
          assert.ok(focus.name, `nameless: ${focus.html}`)
          assert.ok(focus.outlined, `no outline: ${focus.html}`)
          assert.ok(focus.inside, `out of sight: ${focus.html}`)
          seen.push(focus)
        }
        assert.ok(seen.length < 200, 'the focus is held')
        assert.equal(seen[0].name, 'Skip to the content')
        assert.equal(
          seen.filter(({ role }) => role === 'tab' && view !== 'design').length,
          view === 'design' ? 0 : 1,
        )
        assert.ok(
          seen.some(({ view: within }) => within),
          'never inside',
        )
      })
    }
  },
)

/** Runs in the page: what has the focus; `null` for nothing. */
function describeFocus() {
  const element = document.activeElement
  if (element === document.body || element === null) return null
  const label =
    element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
  const boxes = [element, element.nextElementSibling, element.closest('label')].filter(Boolean)
  const { top, bottom } = element.getBoundingClientRect()
  return {
    name: label.trim(),
    role: element.getAttribute('role'),
    html: element.outerHTML.slice(0, 160),
    outlined: boxes.some(
      box =>
        getComputedStyle(box).outlineStyle !== 'none' &&
        getComputedStyle(box).outlineWidth !== '0px',
    ),
    inside: bottom >= 0 && top <= innerHeight,
    view: element.closest('.view')?.id ?? '',
  }
}

test('a walk without a mouse: decode, choose, compare, design', () =>
  site.open('', async page => {
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab', 'Enter')
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main')
    await press('Tab')
    await press('Control+A')
    await page.keyboard.type('175928847299117063')
    await page.getByRole('radio', { name: /^instagram/ }).focus()
    await press('ArrowUp')
    assert.match(await page.locator('.when').first().innerText(), /30 April 2016/)
    assert.match(await page.evaluate(() => document.activeElement.value), /discord/)
    await page.getByRole('tab', { name: 'Decode' }).focus()
    await press('ArrowRight')
    assert.equal(await page.locator('#view-compare').isVisible(), true)
    await press('End')
    assert.equal(await page.locator('#view-design').isVisible(), true)
    await press('ArrowRight')
    assert.equal(await page.locator('#view-decode').isVisible(), true)
    assert.match(await page.locator('.when').first().innerText(), /30 April 2016/)
  }))

test('landmarks, one heading at the top, live results', () =>
  site.open('', async page => {
    for (const role of ['banner', 'navigation', 'main', 'contentinfo']) {
      assert.equal(await page.getByRole(role).count(), 1, role)
    }
    for (const view of VIEWS) {
      await page.goto(`${site.url}#${view}`)
      await page.locator(`#view-${view} h1`).waitFor()
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, view)
      assert.match(await page.title(), /snowmint ID explorer$/)
    }
    await page.goto(`${site.url}#range?from=2026-01-01`)
    await page
      .locator('#live', { hasText: /Smallest ID \d+, largest ID \d+/ })
      .waitFor({ state: 'attached' })
  }))

test('light, dark or as the system has it, and kept', () =>
  site.open(
    '',
    async page => {
      const ground = () =>
        page.evaluate(() => getComputedStyle(document.querySelector('.card')).backgroundColor)
      const light = await ground()
      await page.getByRole('radio', { name: 'Dark' }).check()
      const dark = await ground()
      assert.notEqual(light, dark)
      await page.reload()
      await page.locator('.card').first().waitFor()
      assert.equal(await ground(), dark)
      await page.getByRole('radio', { name: 'Auto' }).check()
      assert.equal(await ground(), light)
    },
    { colorScheme: 'light' },
  ))

test('nothing moves for those who asked for that', () =>
  site.open(
    '',
    async page => {
      await page.getByRole('tab', { name: 'Many' }).click()
      assert.equal(await page.evaluate(() => document.getAnimations().length), 0)
    },
    { reducedMotion: 'reduce' },
  ))

test('works offline after the first visit, in each view', () =>
  site.open('', async page => {
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.waitForFunction(() => navigator.serviceWorker.controller)
    await site.server.pause()
    try {
      for (const view of VIEWS) {
        await page.goto(`${site.url}#${view}`)
        await page.reload()
        await page.locator(`#view-${view}:not([hidden]) h1`).waitFor()
      }
      await page.goto(`${site.url}#decode?id=175928847299117063&layout=discord`)
      await page.getByText('Sat, 30 April 2016 at 11:18:25.796 UTC').first().waitFor()
    } finally {
      await site.server.resume()
    }
  }))

test('asks for its own files alone, and its policy forbids the rest', () =>
  site.open(
    '',
    async page => {
      const files = new Set(
        readdirSync(FOLDER)
          .map(name => `/tools/ids/${name}`)
          .concat('/tools/ids/'),
      )
      for (const path of site.asked) assert.ok(files.has(path), path)
      const refused = await page.evaluate(() =>
        Promise.all([
          fetch('https://snowmint.invalid/').then(
            () => false,
            () => true,
          ),
          new Promise(done => {
            const image = new Image()
            image.onerror = () => done(true)
            image.onload = () => done(false)
            image.src = 'https://snowmint.invalid/x.png'
          }),
          new Promise(done => {
            const script = document.createElement('script')
            script.textContent = 'globalThis.ran = true'
            document.head.append(script)
            done(!globalThis.ran)
          }),
        ]),
      )
      assert.deepEqual(refused, [true, true, true])
      const violations = await page.evaluate(() => globalThis.violations.splice(0))
      assert.deepEqual(violations.map(text => text.split(' ')[1]).sort(), [
        'connect-src',
        'img-src',
        'script-src-elem',
      ])
    },
    { network: false },
  ))

test('a browser without a service worker has the page all the same', () =>
  site.open(
    '',
    async page => {
      await page.locator('.when').first().waitFor()
    },
    { serviceWorkers: 'block', network: false },
  ))
