// The page for operators in a browser: everybody, everywhere, empty, with thousands of tags, and
// what it does.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { DESKTOP, DISCORD, LATER, PHONE, TWEET, shoot } from '../browser/page.mjs'
import { browse, serve } from './server.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const VIEWS = ['sources', 'workers', 'stores', 'servers', 'tokens', 'errors', 'explorer']
const FLAKES = "flakes = 'snowflake+sqlite:ids.db?layout=twitter'\n"
const tags = ['orders', 'bills', 'users']
let server
let browser

before(async () => {
  server = await serve(tags, FLAKES)
  browser = await browse(server.url)
  await server.mint('orders', 4)
  await server.mint('none', 1)
})
after(async () => {
  await browser?.end()
  await server?.stop()
})

async function assertAccessible(page, about) {
  for (const frame of page.frames()) {
    await frame.evaluate(() =>
      Promise.allSettled(document.getAnimations().map(animation => animation.finished)),
    )
    await frame.evaluate(axe)
  }
  const { violations } = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] })",
  )
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0].target.join(' ')}`)
  assert.deepEqual(found, [], about)
}

/** The explorer, in its frame. */
function explorer(page) {
  return page.frameLocator('iframe[title="ID explorer"]')
}

/** Waits until the frame shows all of what is in it, which nothing scrolls but the page. */
async function assertWhole(page) {
  await page.waitForFunction(() => {
    const frame = document.querySelector('iframe')
    const { scrollHeight, scrollWidth } = frame.contentDocument.documentElement
    return scrollHeight <= frame.clientHeight && scrollWidth <= frame.clientWidth
  })
}

async function assertFits(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(wide <= 0, `${wide} pixels too wide`)
}

/** The row of a source, once it is in sight. */
function row(page, name) {
  return page.locator('.windowed tbody tr', {
    has: page.getByRole('button', { name, exact: true }),
  })
}

for (const colorScheme of ['light', 'dark']) {
  for (const [size, viewport] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ]) {
    for (const view of VIEWS) {
      test(`${view}, ${colorScheme}, ${size}: accessible, and as wide as the window`, () =>
        browser.open(
          `#${view}`,
          async page => {
            if (view === 'stores') {
              await page.getByRole('button', { name: 'List worker IDs' }).click()
              await page.getByRole('button', { name: /^End the lease/ }).waitFor()
            }
            if (view === 'explorer') {
              await explorer(page).locator('#view-decode textarea').fill(DISCORD)
              await explorer(page).locator('.when').first().waitFor()
              await assertWhole(page)
            }
            await shoot(page, `page-${view}-${colorScheme}-${size}`)
            await assertAccessible(page)
            await assertFits(page)
          },
          { colorScheme, viewport },
        ))
    }
  }
}

for (const hash of ['#constructor', '#__proto__/x', '#nothing']) {
  test(`${hash} names no view, so that the first one is shown`, () =>
    browser.open(hash, async page => {
      await page.getByRole('tab', { name: 'Sources', selected: true }).waitFor()
      await row(page, 'orders').waitFor()
    }))
}

test('it goes on by itself, and opens one source with all that is known', () =>
  browser.open('', async page => {
    await page.getByText('Live').waitFor()
    const given = row(page, 'orders').locator('td').last()
    const before = Number(await given.innerText())
    await server.mint('orders', 3)
    await page.waitForFunction(
      ([cell, wanted]) => Number(cell.innerText) >= wanted,
      [await given.elementHandle(), before + 3],
    )
    await row(page, 'orders').getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'orders' })
    await dialog.getByText('sqlite:ids.db').waitFor()
    await assertAccessible(page, 'a source')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }))

test('a server that hangs is told of until it goes on', () =>
  browser.open('', async page => {
    const tile = page.locator('.tile', { hasText: 'State' })
    await tile.getByText('ready', { exact: true }).waitFor()
    server.signal('SIGSTOP')
    try {
      await page.getByText('The server does not answer').waitFor()
      await tile.getByText('no answer').waitFor()
    } finally {
      server.signal('SIGCONT')
    }
    await page.getByText('Live', { exact: true }).waitFor()
    await tile.getByText('ready', { exact: true }).waitFor()
  }))

test('a tag is created, changed and raised once that is confirmed', () =>
  browser.open(
    '#stores',
    async page => {
      const press = name => page.getByRole('button', { name }).click()
      await press('Create a tag…')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('a b')
      await assertAccessible(page, 'a dialog')
      const says = dialog.locator('.says')
      await says.getByText('Name: write up to 64 letters').waitFor()
      await dialog.getByRole('button', { name: 'Create a b' }).click()
      await dialog.getByRole('alert').getByText('Name: write up to 64 letters').waitFor()
      await dialog.getByLabel('Name').fill('made')
      for (const [label, wrong, words] of [
        ['First number', 'x', 'digits alone'],
        ['First number', '9223372036854775807', 'from 0 to 9,223,372,036,854,775,806.'],
        [/^Step/, '0', 'from 1 to 1,073,741,824.'],
        [/^Step/, '1073741825', 'from 1 to 1,073,741,824.'],
      ]) {
        const right = await dialog.getByLabel(label).inputValue()
        await dialog.getByLabel(label).fill(wrong)
        await says.getByText(words).waitFor()
        await dialog.getByRole('button', { name: /^Create/ }).click()
        await dialog.getByRole('alert').getByText(words).waitFor()
        await dialog.getByLabel(label).fill(right)
      }
      // The server says what the page cannot know.
      await dialog.getByLabel('Name').fill('orders')
      await dialog.getByRole('button', { name: 'Create orders' }).click()
      await dialog.getByRole('alert').getByText('tag_exists').waitFor()
      await dialog.getByLabel('First number').fill('7')
      await dialog.getByLabel('Name').fill('made')
      await dialog.getByText('made is added to sqlite:ids.db').waitFor()
      await dialog.getByRole('button', { name: 'Create made' }).click()
      await dialog.waitFor({ state: 'detached' })
      await press('List tags')
      await press('Change made')
      await dialog.getByLabel(/^Step/).fill('50')
      await dialog.getByRole('button', { name: 'Change made' }).click()
      await dialog.waitFor({ state: 'detached' })
      await press('Raise made')
      await dialog.getByLabel('Go on above').fill('9223372036854775807')
      await says.getByText('from 0 to 9,223,372,036,854,775,806.').waitFor()
      await dialog.getByLabel('Go on above').fill('99')
      await dialog.getByText('are never given').waitFor()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      const cells = page.getByRole('row', { name: /^made/ }).getByRole('cell')
      await cells.getByText('100', { exact: true }).waitFor()
      await cells.getByText('50', { exact: true }).waitFor()
    },
    { refusals: true },
  ))

test('a lease is ended, and nothing without a confirmation', () =>
  browser.open('#stores', async page => {
    await page.getByRole('button', { name: 'List worker IDs' }).click()
    const end = page.getByRole('button', { name: /^End the lease of worker ID/ })
    await end.first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No ID can repeat').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await end.first().click()
    await dialog.getByRole('button', { name: /^End the lease of/ }).click()
    await page.locator('#live', { hasText: /is free/ }).waitFor({ state: 'attached' })
  }))

test('the configuration is reloaded, or it is said why not', () =>
  browser.open(
    '',
    async page => {
      const reload = async () => {
        await page.getByRole('button', { name: 'Reload…' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Reload' }).click()
      }
      server.write([...tags, 'none'])
      await reload()
      await page.getByRole('alert').getByText('unknown_tag').waitFor()
      await page.keyboard.press('Escape')
      server.write([...tags, 'first'])
      await reload()
      await row(page, 'first').waitFor()
      server.write(tags)
      await reload()
      await row(page, 'first').waitFor({ state: 'detached' })
    },
    { refusals: true },
  ))

test('by keyboard alone: everything is reached, seen and named, and nothing holds the focus', () =>
  browser.open('', async page => {
    const names = []
    for (let presses = 0; presses < 100; presses++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(() => {
        const element = document.activeElement
        if (element === document.body) return null
        const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent
        const { outlineStyle } = getComputedStyle(element)
        const beside = element.nextElementSibling
        const seen = outlineStyle !== 'none' || getComputedStyle(beside).outlineStyle !== 'none'
        return { name: (label ?? element.textContent).trim(), seen }
      })
      if (focus === null) break
      assert.ok(focus.name && focus.seen, JSON.stringify(focus))
      names.push(focus.name)
    }
    assert.ok(names.length < 100, 'the focus is held')
    assert.equal(names[0], 'Skip to the content')
    for (const name of ['Sources', 'Reload…', 'Search', 'orders']) assert.ok(names.includes(name))
    await page.getByRole('tab', { name: 'Sources' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('#view-workers').waitFor()
    await page.keyboard.press('End')
    await page.locator('#view-explorer').waitFor()
  }))

test('the ID explorer is in it: an ID is pasted there by keyboard, and taken apart', () =>
  browser.open('', async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(id => navigator.clipboard.writeText(id), TWEET)
    const asked = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    await page.getByRole('tab', { name: 'Sources' }).focus()
    assert.equal(asked.filter(path => path.startsWith('/explorer/')).length, 0)
    await page.keyboard.press('End')
    const ids = explorer(page)
    await ids.locator('#view-decode h1').waitFor()
    assert.ok(asked.includes('/explorer/snowmint.wasm'))
    // From the page's tabs into the frame: its own tabs, then the text field.
    const text = ids.locator('#view-decode textarea')
    const isThere = () => text.evaluate(element => element === document.activeElement)
    for (let presses = 0; presses < 20 && !(await isThere()); presses++) {
      await page.keyboard.press('Tab')
    }
    assert.ok(await isThere(), 'the text field is not reached')
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Control+V')
    await ids.getByText('Tue, 28 June 2022 at 16:07:40.105 UTC').first().waitFor()
    await ids.getByRole('tab', { name: 'Compare' }).click()
    await ids.locator('#view-compare h1').waitFor()
    await assertWhole(page)
    // The decoded ID is there again after a look elsewhere.
    await page.getByRole('tab', { name: 'Errors' }).click()
    await page.getByRole('heading', { name: 'What this server is doing' }).waitFor()
    await page.getByRole('tab', { name: 'ID explorer' }).click()
    await ids.getByRole('tab', { name: 'Decode' }).click()
    assert.equal(await text.inputValue(), TWEET)
    await page.getByRole('heading', { name: 'What this server is doing' }).waitFor({ state: 'hidden' })
  }))

test('an ID that is searched for among the sources is handed to the explorer', () =>
  browser.open('', async page => {
    const text = explorer(page).locator('#view-decode textarea')
    for (const [id, time] of [
      [TWEET, 'Tue, 28 June 2022 at 16:07:40.105 UTC'],
      [LATER, 'Tue, 28 June 2022 at 16:07:43.075 UTC'],
    ]) {
      await page.getByLabel('Search').fill(id)
      await page.getByRole('link', { name: `What ${id} says as an ID` }).click()
      await explorer(page).getByText(time).first().waitFor()
      assert.equal(await text.inputValue(), id)
      await page.getByRole('tab', { name: 'Sources' }).click()
    }
    await page.getByLabel('Search').fill('no ID at all')
    await page.getByRole('link', { name: /as an ID$/ }).waitFor({ state: 'detached' })
    await page.getByText('No source fits').waitFor()
  }))

test('an explorer that does not come is asked for again', () =>
  browser.open(
    '',
    async page => {
      const failed = page.waitForEvent('requestfailed')
      await page.route('**/explorer/', route => route.abort(), { times: 1 })
      await page.getByRole('tab', { name: 'ID explorer' }).click()
      await failed
      await page.waitForFunction(() => document.querySelector('iframe').contentDocument === null)
      await page.getByRole('tab', { name: 'Errors' }).click()
      await page.getByRole('tab', { name: 'ID explorer' }).click()
      await explorer(page).locator('#view-decode h1').waitFor()
    },
    { refusals: true },
  ))

test('the explorer has the page’s colours, and keeps nothing for when the server is gone', () =>
  browser.open(`#explorer/decode?id=${DISCORD}`, async page => {
    const ids = explorer(page)
    await ids.getByText('Sat, 30 April 2016 at 11:18:25.796 UTC').first().waitFor()
    await ids.getByText('works offline').waitFor({ state: 'hidden' })
    assert.equal(await ids.getByRole('radio', { name: 'Dark' }).count(), 0)
    for (const theme of ['Dark', 'Light']) {
      await page.getByRole('radio', { name: theme }).check()
      await ids.locator(`html[data-theme=${theme.toLowerCase()}]`).waitFor()
    }
    await page.getByRole('radio', { name: 'Auto' }).check()
    await ids.locator('html:not([data-theme])').waitFor()
    const workers = await page.evaluate(() => navigator.serviceWorker.getRegistrations())
    assert.equal(workers.length, 0)
  }))

test('without a source that has a store there is something to read everywhere', async () => {
  const empty = await serve([], "u = 'uuid:'\n")
  const other = await browse(empty.url)
  try {
    for (const view of VIEWS) {
      await other.open(`#${view}`, async page => {
        if (view === 'explorer') await explorer(page).locator('.when').first().waitFor()
        await assertAccessible(page, view)
        await assertFits(page)
      })
    }
    await other.open('', async page => {
      await page.getByLabel('Search').fill('nothing has this name')
      await page.getByText('No source fits').waitFor()
      await assertAccessible(page, 'nothing found')
    })
  } finally {
    await other.end()
    await empty.stop()
  }
})

test('5,000 sources are searched and sorted, and those in sight alone are drawn', async () => {
  const COUNT = 5000
  const name = at => `tag-${String(at).padStart(4, '0')}`
  const lines = Array.from({ length: COUNT }, (_, at) => `${name(at)} = 'uuid:'\n`).join('')
  const many = await serve(['last'], lines)
  const other = await browse(many.url)
  try {
    for (const [colorScheme, viewport] of [
      ['light', DESKTOP],
      ['dark', PHONE],
    ]) {
      await other.open(
        '',
        async page => {
          await page.locator('.hint', { hasText: '5,001 sources' }).waitFor()
          const drawn = await page.locator('.windowed tbody tr').count()
          assert.ok(drawn < 60, `${drawn} rows`)
          await assertAccessible(page, 'many')
          await assertFits(page)
          await page.getByRole('button', { name: 'Name' }).click()
          await row(page, name(COUNT - 1)).waitFor()
          await page.getByLabel('Search').fill('TAG-012 uuid')
          await page.getByText('10 sources of 5,001').waitFor()
          await page.getByLabel('Search').fill('')
          await page.locator('.hint', { hasText: /^5,001 sources$/ }).waitFor()
          await page.getByRole('region', { name: 'Sources' }).evaluate(box => {
            box.scrollTop = box.scrollHeight
          })
          await row(page, name(0)).waitFor()
        },
        { colorScheme, viewport },
      )
    }
  } finally {
    await other.end()
    await many.stop()
  }
})
