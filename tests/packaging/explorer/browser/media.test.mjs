// Colours that are the reader's own, paper, and a page that is enlarged.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { shoot, start } from './page.mjs'

let site
before(async () => {
  site = await start()
})
after(() => site.end())

const VIEWS = ['decode', 'compare', 'many', 'range', 'design']

async function fill(page, view) {
  if (view !== 'many') return
  const many = page.locator('#view-many')
  await many.getByRole('button', { name: 'Example' }).click()
  // They are read in slices; the charts, and what is chosen in them, are there when all are.
  await many.locator('.rank-bar').first().waitFor()
}

/** The looks of an element: its colours, and those of its borders. */
function look(locator) {
  return locator.evaluate(element => {
    const style = getComputedStyle(element)
    return [style.backgroundColor, style.color, style.borderBottomColor, style.borderStyle].join()
  })
}

test('forced colours: what is chosen looks chosen, and drawings are seen', () =>
  site.open(
    '#many',
    async page => {
      await fill(page, 'many')
      await shoot(page, 'many-forced')
      const many = page.locator('#view-many')
      const pairs = [
        [page.locator('#tab-many'), page.locator('#tab-range')],
        [page.locator('.theme span').nth(0), page.locator('.theme span').nth(1)],
        [many.locator('.choice span').nth(1), many.locator('.choice span').nth(0)],
        [many.locator('.rank-bar').first(), many.locator('.rank-track').first()],
      ]
      for (const [chosen, other] of pairs) assert.notEqual(await look(chosen), await look(other))
      await page.getByRole('tab', { name: 'Design' }).click()
      await shoot(page, 'design-forced')
      const segments = page.locator('#view-design .segment')
      assert.notEqual(await look(segments.nth(1)), await look(segments.nth(2)))
      const chips = page.locator('#view-design .chip')
      assert.notEqual(await look(chips.nth(1)), await look(chips.nth(2)))
      const bit = set => page.locator(`#view-design .bit[data-kind=time]${set}`).first()
      assert.notEqual(await look(bit('.is-set')), await look(bit(':not(.is-set)')))
    },
    { forcedColors: 'active', reducedMotion: 'reduce' },
  ))

test('on paper: dark on white, without what cannot be pressed there', () =>
  site.open(
    '',
    async page => {
      await page.getByRole('radio', { name: 'Dark' }).check()
      for (const view of VIEWS) {
        await page.getByRole('tab', { name: new RegExp(`^${view}$`, 'i') }).click()
        await fill(page, view)
        await page.emulateMedia({ media: 'print' })
        await shoot(page, `${view}-print`)
        const { scheme, ground } = await page.evaluate(() => ({
          scheme: getComputedStyle(document.documentElement).colorScheme,
          ground: getComputedStyle(document.body).backgroundColor,
        }))
        assert.deepEqual([scheme, ground], ['light', 'rgb(255, 255, 255)'], view)
        assert.equal(await page.locator('.copy:visible, .example:visible, nav:visible').count(), 0)
        assert.equal(await page.locator('h1:visible').count(), 1)
        await page.emulateMedia({ media: 'screen' })
      }
    },
    { colorScheme: 'dark' },
  ))

for (const [zoom, viewport] of [
  ['200 %', { width: 640, height: 430 }],
  ['400 %', { width: 320, height: 215 }],
]) {
  test(`enlarged to ${zoom}, everything is still in the window's width`, async () => {
    for (const view of VIEWS) {
      await site.open(
        `#${view}`,
        async page => {
          await fill(page, view)
          await shoot(page, `${view}-${zoom.replace(' %', '')}`)
          const [wide, window] = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            innerWidth,
          ])
          assert.ok(wide <= window, `${view}: ${wide} > ${window}`)
        },
        { viewport },
      )
    }
  })
}
