// A layout in the making.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PHONE, copied, start } from './page.mjs'

let site
before(async () => {
  site = await start()
})
after(() => site.end())

const panel = page => page.locator('#view-design')
const slider = (page, name) => panel(page).getByRole('slider', { name })
const tile = (page, name) =>
  panel(page)
    .locator('.tile')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .locator('b')
const fieldsOf = page => decodeURIComponent(/fields=([^&]*)/.exec(page.url())?.[1] ?? '')

test('borders by keyboard', () =>
  site.open('#design', async page => {
    const border = slider(page, 'Border between time and worker')
    assert.equal(await border.getAttribute('aria-valuetext'), 'time 41 bits, worker 10 bits')
    await border.focus()
    await page.keyboard.press('ArrowLeft')
    assert.equal(await border.getAttribute('aria-valuetext'), 'time 40 bits, worker 11 bits')
    assert.equal(await tile(page, 'Workers').innerText(), '2,048')
    assert.equal(await tile(page, 'Lasts').innerText(), '34 years')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('End')
    assert.equal(
      await border.getAttribute('aria-valuenow'),
      await border.getAttribute('aria-valuemax'),
    )
    await page.keyboard.press('Home')
    assert.equal(await tile(page, 'Workers').innerText(), '4.29 billion')
    assert.equal(fieldsOf(page), 'zero:1,time:19,worker:32,sequence:12')
  }))

for (const [name, options] of [
  ['a mouse', {}],
  ['a finger', { viewport: PHONE, hasTouch: true, isMobile: true }],
]) {
  test(`borders by ${name}`, () =>
    site.open(
      '#design',
      async page => {
        const bar = await panel(page).locator('.bar-box').boundingBox()
        const border = await slider(page, 'Border between worker and sequence').boundingBox()
        const bit = bar.width / 64
        const [x, y] = [border.x + border.width / 2, border.y + border.height / 2]
        if (options.hasTouch) {
          const session = await page.context().newCDPSession(page)
          const touch = (type, at) =>
            session.send('Input.dispatchTouchEvent', {
              type,
              touchPoints: at === null ? [] : [{ x: at, y }],
            })
          await touch('touchStart', x)
          await touch('touchMove', x + bit)
          await touch('touchMove', x + 3 * bit)
          await touch('touchEnd', null)
        } else {
          await page.mouse.move(x, y)
          await page.mouse.down()
          await page.mouse.move(x + 3 * bit, y, { steps: 6 })
          await page.mouse.up()
        }
        assert.equal(fieldsOf(page), 'zero:1,time:41,worker:13,sequence:9')
        assert.equal(await tile(page, 'One worker mints').innerText(), '512,000')
      },
      options,
    ))
}

test('widths by buttons and numbers, keeping the focus', () =>
  site.open('#design', async page => {
    await panel(page).getByRole('button', { name: 'A bit more for worker' }).click()
    await page.keyboard.press('Enter')
    assert.equal(fieldsOf(page), 'zero:1,time:39,worker:12,sequence:12')
    assert.equal(
      await page.evaluate(() => document.activeElement.getAttribute('aria-label')),
      'A bit more for worker',
    )
    await panel(page).getByRole('button', { name: 'A bit less for sequence' }).click()
    assert.equal(fieldsOf(page), 'zero:1,time:40,worker:12,sequence:11')
    await panel(page).getByLabel('Bits of worker').fill('5')
    await panel(page).getByLabel('Bits of worker').blur()
    assert.equal(fieldsOf(page), 'zero:1,time:47,worker:5,sequence:11')
    await panel(page).getByRole('button', { name: 'A bit less for time' }).click()
    assert.equal(fieldsOf(page), 'zero:2,time:46,worker:5,sequence:11')
  }))

test('fields added, moved and removed', () =>
  site.open('#design', async page => {
    await panel(page).getByRole('button', { name: 'datacenter', exact: true }).click()
    assert.equal(fieldsOf(page), 'zero:1,time:36,worker:10,datacenter:5,sequence:12')
    await panel(page).getByRole('button', { name: 'Move up datacenter' }).click()
    assert.equal(fieldsOf(page), 'zero:1,time:36,datacenter:5,worker:10,sequence:12')
    await panel(page).getByRole('button', { name: 'Remove worker' }).click()
    assert.equal(fieldsOf(page), 'zero:1,time:46,datacenter:5,sequence:12')
    await panel(page).getByRole('button', { name: 'Move down time' }).click()
    await panel(page).getByText('Something lies above the time').waitFor()
    await panel(page).getByRole('button', { name: 'rollback', exact: true }).click()
    assert.equal(fieldsOf(page), 'zero:1,datacenter:5,time:44,rollback:2,sequence:12')
  }))

test('the focus stays with a field that comes or goes', () =>
  site.open('#design', async page => {
    const focused = () =>
      page.evaluate(() => {
        const { dataset, ariaLabel, textContent } = document.activeElement
        return [dataset.kind, ariaLabel ?? textContent].join(': ')
      })
    await panel(page).getByRole('button', { name: 'rollback', exact: true }).press('Enter')
    assert.equal(await focused(), 'rollback: A bit less for rollback')
    await panel(page).getByRole('button', { name: 'Remove rollback' }).press('Enter')
    assert.equal(await focused(), 'rollback: rollback')
    await panel(page).getByRole('button', { name: 'Move up sequence' }).press('Enter')
    assert.equal(await focused(), 'sequence: Move up sequence')
    await page.keyboard.press('Enter')
    assert.equal(await focused(), 'sequence: A bit less for sequence')
  }))

test('epoch and tick: what is wrong is said', () =>
  site.open('#design', async page => {
    await panel(page)
      .getByLabel(/^Epoch/)
      .fill('sometime')
    await panel(page).getByText('The epoch is no time.').waitFor()
    assert.equal(await panel(page).getByRole('region', { name: 'What follows' }).isHidden(), true)
    await panel(page)
      .getByLabel(/^Epoch/)
      .fill('2020-01-01')
    await panel(page).getByLabel(/^Tick/).fill('10')
    assert.equal(await tile(page, 'Lasts').innerText(), '696 years')
    await panel(page).getByLabel(/^Tick/).fill('0')
    await panel(page).getByText('A tick lasts 1 to').waitFor()
    await panel(page).getByLabel(/^Tick/).fill('4294967295')
    await panel(page).getByLabel('Bits of worker').fill('1')
    await panel(page).getByLabel('Bits of worker').blur()
    await panel(page).getByLabel(/^Tick/).fill('1')
    await panel(page)
      .getByLabel(/^Epoch/)
      .fill('2999-01-01')
    await panel(page).getByText('The epoch lies ahead').waitFor()
  }))

test('53 bits, and a preset to begin with', () =>
  site.open('#design', async page => {
    await panel(page).getByLabel('Begin with').selectOption('cosid-js-ms')
    assert.equal(await tile(page, '53 bits').innerText(), 'always')
    assert.equal(fieldsOf(page), 'zero:11,time:41,worker:3,sequence:9')
    await panel(page).getByRole('button', { name: 'A bit more for time' }).click()
    assert.match(await tile(page, '53 bits').innerText(), /^until/)
    assert.equal(await panel(page).getByLabel('Begin with').inputValue(), '')
    await panel(page).getByLabel('Begin with').selectOption('instagram')
    assert.match(await tile(page, '63 bits').innerText(), /^until 2046/)
    await page.reload()
    assert.equal(await panel(page).getByLabel('Begin with').inputValue(), 'instagram')
  }))

test('code in every language, by keyboard, copied', () =>
  site.open('#design', async page => {
    const first = panel(page).getByRole('tab', { name: 'Rust' })
    await first.focus()
    const marks = {
      'Rust': /Layout::builder\(\)/,
      'Python': /from snowmint import/,
      'JavaScript': /new Layout\(/,
      'Java': /Layout\.of\(/,
      'C': /snowmint_layout_fields/,
      'Command line': /snowmint id '/,
    }
    for (const [title, mark] of Object.entries(marks)) {
      assert.equal(
        await panel(page)
          .getByRole('tab', { name: title, exact: true })
          .getAttribute('aria-selected'),
        'true',
      )
      assert.match(await panel(page).locator('pre').innerText(), mark)
      assert.match(
        await copied(page, panel(page).getByRole('button', { name: 'Copy the code' })),
        mark,
      )
      await panel(page).getByRole('tab', { name: title, exact: true }).focus()
      await page.keyboard.press('ArrowRight')
    }
  }))

test('the layout can be chosen everywhere', () =>
  site.open('#design?fields=time:40,worker:12,sequence:12&epoch=2024-01-01', async page => {
    await panel(page).getByRole('link', { name: 'decode' }).click()
    const decode = page.locator('#view-decode')
    await decode.locator('h1').waitFor()
    assert.match(await decode.locator('.facts').innerText(), /Worker ID\s+7\s+of 4095/)
    await page.getByRole('tab', { name: 'Range' }).click()
    await page
      .locator('#view-range')
      .getByLabel('Layout', { exact: true })
      .selectOption({ label: 'Your layout' })
    assert.match(page.url(), /layout=time:40,worker:12,sequence:12@1704067200000\/1/)
    await page.getByRole('tab', { name: 'Design' }).click()
    assert.equal(fieldsOf(page), 'time:40,worker:12,sequence:12')
  }))

test('on a phone the languages of the code keep their width, and scroll', () =>
  site.open(
    '#design',
    async page => {
      const list = panel(page).getByRole('tablist', { name: 'Language' })
      const { width, room } = await list.evaluate(row => ({
        width: row.scrollWidth,
        room: row.clientWidth,
      }))
      assert.ok(width > room, `${width} of ${room}`)
      await list.getByRole('tab', { name: 'Command line' }).click()
      const seen = await list.evaluate(row => {
        const outer = row.getBoundingClientRect()
        const inner = row.querySelector('[aria-selected=true]').getBoundingClientRect()
        return row.scrollLeft > 0 && inner.right <= outer.right + 1 && inner.left >= outer.left - 1
      })
      assert.equal(seen, true)
    },
    { viewport: PHONE, hasTouch: true, isMobile: true },
  ))
