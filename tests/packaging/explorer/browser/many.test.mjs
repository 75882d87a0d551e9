// Many IDs, and the IDs of a time.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { DISCORD, TWEET, copied, paste, shoot, start } from './page.mjs'

let site
before(async () => {
  site = await start()
})
after(() => site.end())

const FIRST_MS = 1656432460105n
const EPOCH_MS = 1288834974657n
/** Twitter's bits, put together without snowmint. Its own workers begin at 320. */
const mint = (ms, worker, sequence) =>
  String(((FIRST_MS + BigInt(ms) - EPOCH_MS) << 22n) | (BigInt(worker) << 12n) | BigInt(sequence))
const panel = page => page.locator('#view-many')
const box = page => panel(page).getByRole('textbox')
const fill = async (page, text) => {
  await box(page).fill(text)
  await panel(page).locator('.result[aria-busy=false]').waitFor({ state: 'attached' })
}
const tile = (page, name) =>
  panel(page)
    .locator('.tile')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .locator('b')

test('empty, it says what belongs there', () =>
  site.open('#many', async page => {
    await page.getByText('Nothing here yet: paste IDs').waitFor()
    await fill(page, 'neither nor')
    await page.getByText('No ID was found').waitFor()
    await page.getByText('2 texts left out: not an ID').waitFor()
  }))

test('the example has all that can be odd', () =>
  site.open('#many', async page => {
    await panel(page).getByRole('button', { name: 'Example' }).click()
    assert.equal(await tile(page, 'IDs').innerText(), '2,000')
    assert.equal(await tile(page, 'Workers').innerText(), '5')
    assert.equal(await tile(page, 'Repeated').innerText(), '1')
    assert.notEqual(await tile(page, 'Out of order').innerText(), '0')
    const findings = await panel(page).locator('.findings').innerText()
    for (const words of [
      /1 ID repeated/,
      /below the one before it, first at place/,
      /% of the sequences are even/,
    ]) {
      assert.match(findings, words)
    }
    const bars = await panel(page).locator('.chart').first().locator('rect').count()
    assert.ok(bars > 20 && bars <= 120)
    assert.equal(await panel(page).locator('.rank').count(), 5)
    assert.equal(await panel(page).locator('.fall').count(), 2)
    await panel(page).locator('.plot').first().hover()
    assert.match(await panel(page).locator('.readout').first().innerText(), /UTC: [\d,]+ IDs?$/)
    await panel(page).getByText('Numbers').first().click()
    const numbers = panel(page).locator('.numbers').first().locator('tbody tr')
    await numbers.first().waitFor()
    assert.equal(await numbers.count(), bars)
  }))

test('remainders: modulo, of the sequence or the ID, skew marked', () =>
  site.open('#many', async page => {
    const even = Array.from({ length: 200 }, (_, index) => mint(index, 352 + (index % 4), 2 * (index % 8)))
    await fill(page, even.join('\n'))
    await panel(page).getByText('By sequence modulo 4').waitFor()
    await panel(page).getByRole('radio', { name: '2', exact: true }).check()
    await panel(page).getByText('By sequence modulo 2').waitFor()
    await panel(page).getByText('Skewed: 100 % leave 0, where 50 % would be even.').waitFor()
    assert.equal(await panel(page).locator('.bar.is-marked').count(), 1)
    await panel(page).getByRole('radio', { name: 'ID', exact: true }).check()
    await panel(page).getByRole('heading', { name: 'By ID modulo 2' }).waitFor()
    assert.match(page.url(), /mod=2&of=ID/)
    const spread = Array.from({ length: 200 }, (_, index) => mint(index, 353, index % 8))
    await fill(page, spread.join('\n'))
    await panel(page).getByText('Spread as chance would have it.').waitFor()
  }))

test('rows: more of them, only the odd ones, one of them decoded, all as CSV', () =>
  site.open('#many', async page => {
    const ids = Array.from({ length: 200 }, (_, index) => mint(index * 10, 355, index % 3))
    ids[150] = ids[10]
    await fill(page, ids.join(','))
    const rows = panel(page).locator('.rows tbody tr')
    assert.equal(await rows.count(), 25)
    await panel(page)
      .getByRole('button', { name: /^Show 100 more of 175/ })
      .click()
    assert.equal(await rows.count(), 125)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement.textContent), ids[26])
    await panel(page).getByLabel('Only what is odd').check()
    assert.equal(await rows.count(), 1)
    assert.match(await rows.first().innerText(), /^151\s.*seen before/)
    const csv = panel(page).getByRole('button', { name: 'Copy all rows as CSV' })
    const lines = (await copied(page, csv)).split('\n')
    assert.deepEqual([lines[0], lines.length], ['id,time,worker,sequence,odd', 201])
    assert.equal(lines[1], `${ids[0]},2022-06-28T16:07:40.105Z,355,0,`)
    await rows.first().getByRole('link').click()
    await page.locator('#view-decode h1').waitFor()
    assert.equal(await page.locator('#view-decode textarea').inputValue(), ids[10])
  }))

test('a CSV file, read in the page', () =>
  site.open('#many', async page => {
    const folder = mkdtempSync(path.join(tmpdir(), 'snowmint-explorer-'))
    const file = path.join(folder, 'orders.csv')
    writeFileSync(
      file,
      [
        'name,order_id',
        ...Array.from({ length: 30 }, (_, index) => `"a, b",${mint(index, 9, 0)}`),
      ].join('\n'),
    )
    try {
      await panel(page).getByLabel('Open a file').setInputFiles(file)
      await panel(page).getByText('Taken from the column “order_id”.').waitFor()
      assert.equal(await tile(page, 'IDs').innerText(), '30')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }))

test('three IDs have no chart, and no average', () =>
  site.open('#many', async page => {
    const input = page.locator('#view-many textarea')
    const few = [0n, 1n, 2n].map(n => BigInt(TWEET) + (n << 50n))
    await input.fill(few.join('\n'))
    const tiles = page.locator('#view-many .tiles')
    await tiles.getByText('3', { exact: true }).waitFor()
    assert.doesNotMatch(await tiles.innerText(), /average|a day/)
    assert.equal(await page.locator('#view-many .plots').isHidden(), true)
    await input.fill([...few, ...few.map(id => id + (3n << 50n))].join('\n'))
    await tiles.getByText('6', { exact: true }).waitFor()
    assert.match(await tiles.innerText(), /average/i)
    assert.equal(await page.locator('#view-many .plots').isVisible(), true)
    await input.fill('1\n2\n3\n4\n5\n6')
    await page.getByText('No system that is known has such IDs').first().waitFor()
    assert.equal(await page.locator('#view-many .plots').isHidden(), true)
    assert.doesNotMatch(await page.locator('#view-many .rows').innerText(), /2010/)
  }))

test('strangers to the layout are told and left out of the charts', () =>
  site.open('#many', async page => {
    await fill(
      page,
      [mint(0, 1, 0), mint(5, 1, 0), '18446744073709551615', mint(9, 2, 0)].join('\n'),
    )
    await panel(page).getByLabel('Layout', { exact: true }).selectOption('twitter')
    await panel(page).getByText('1 ID cannot be of twitter').waitFor()
    assert.match(await panel(page).locator('.rows tbody').innerText(), /not in the layout/)
    await panel(page).getByLabel('Layout', { exact: true }).selectOption('cosid-js-s')
    await panel(page).getByText('4 IDs cannot be of cosid-js-s').waitFor()
    assert.equal(await panel(page).locator('.plots').isHidden(), true)
  }))

test('50,000 IDs, pasted', () =>
  site.open('', async (page, context) => {
    const ids = Array.from({ length: 50_000 }, (_, index) => mint(index * 7, 352 + (index % 13), index % 5))
    await page.evaluate(() => {
      globalThis.longest = 0
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries())
          globalThis.longest = Math.max(globalThis.longest, duration)
      }).observe({ type: 'longtask' })
    })
    await page.locator('#view-decode textarea').focus()
    await page.keyboard.press('Control+A')
    await paste(page, ids.join('\n'))
    await tile(page, 'IDs').getByText('50,000').waitFor()
    assert.equal(await tile(page, 'Workers').innerText(), '13')
    await panel(page).getByText('No ID twice, and each above the one before it.').waitFor()
    await panel(page).getByText('too many for a link').waitFor()
    assert.equal(await box(page).inputValue(), '')
    assert.match(await box(page).getAttribute('placeholder'), /^50,000 IDs pasted/)
    await panel(page).getByRole('radio', { name: '16', exact: true }).check()
    await panel(page).getByText('By sequence modulo 16').waitFor()
    await page.getByRole('tab', { name: 'Range' }).click()
    await page.getByRole('tab', { name: 'Many' }).click()
    assert.equal(await tile(page, 'IDs').innerText(), '50,000')
    console.log(
      `longest task with 50,000 IDs: ` +
        `${Math.round(await page.evaluate(() => globalThis.longest))} ms`,
    )
    await shoot(page, 'many-50000')
    assert.equal(context.pages().length, 1)
  }))

test('a time to its IDs', () =>
  site.open('#range?from=2016-04-30T11:18:25.796Z&layout=discord', async page => {
    const range = page.locator('#view-range')
    const [low, high] = await range.locator('.bound code').allInnerTexts()
    assert.equal(BigInt(low), (BigInt(DISCORD) >> 22n) << 22n)
    assert.equal(BigInt(high), BigInt(low) + (1n << 22n) - 1n)
    assert.equal(await range.locator('pre').innerText(), `WHERE id BETWEEN ${low} AND ${high}`)
    const copy = range.getByRole('button', { name: 'Copy smallest id', exact: true })
    assert.equal(await copied(page, copy), low)
    await range.getByText('In forms that sort').first().click()
    assert.ok(
      await range.getByRole('button', { name: 'Copy smallest id, hexadecimal' }).isVisible(),
    )
    await range.getByRole('button', { name: 'Yesterday' }).click()
    assert.match(await range.getByLabel(/^To/).inputValue(), /T23:59:59\.999Z$/)
    assert.match(page.url(), /from=.*&to=.*&layout=discord/)
  }))

test('a date alone is the whole of it', () =>
  site.open('#range?from=2026-01-31', async page => {
    const range = page.locator('#view-range')
    await range.getByText('tick of 2026-01-31T23:59:59.999Z').waitFor()
    await range.getByText('Sat, 31 January 2026 at 23:59:59.999 UTC').waitFor()
    await range.getByLabel(/^To/).fill('2026-02')
    await range.getByText('tick of 2026-02-28T23:59:59.999Z').waitFor()
    await range.getByText('tick of 2026-01-31T00:00:00Z').waitFor()
  }))

test('times that cannot be say why', () =>
  site.open('#range', async page => {
    const range = page.locator('#view-range')
    await range.getByLabel('From').fill('2009-01-01')
    await range
      .getByText('IDs of twitter begin on 2010-11-04T01:42:54.657Z: take a later time.')
      .waitFor()
    await range.getByLabel('From').fill('2026-05-05')
    await range.getByLabel(/^To/).fill('2026-05-04')
    await range.getByText('The end lies before the beginning').waitFor()
    await range.getByLabel(/^To/).fill('2999-01-01')
    await range.getByText(/IDs of twitter end on 2080/).waitFor()
    await range.getByLabel(/^To/).fill('soon')
    await range.getByText('Write a time as').waitFor()
    assert.equal(await range.locator('.result').isHidden(), true)
    await range.getByLabel(/^To/).fill('')
    assert.equal(await range.locator('.result').isVisible(), true)
    await range.getByLabel('Layout', { exact: true }).selectOption('seata')
    await range.getByText('The time is not the top field').waitFor()
  }))

test('signed columns: a range that crosses the sign', () =>
  site.open('#range?from=2046-06-27&to=2046-06-28&layout=instagram', async page => {
    const sql = await page.locator('#view-range pre').innerText()
    assert.match(sql, /^WHERE id >= \d+ OR id <= -\d+$/)
    await page.getByText('For signed columns of 64 bits').waitFor()
  }))

test('the time zone of the reader', () =>
  site.open(
    `#decode?id=${TWEET}`,
    async page => {
      await page.getByText(/Wed, 29 June 2022 at 01:07:40\.105.* in Asia\/Tokyo/).waitFor()
      await page.getByText('Tue, 28 June 2022 at 16:07:40.105 UTC').first().waitFor()
    },
    { timezoneId: 'Asia/Tokyo' },
  ))
