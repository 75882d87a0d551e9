// One ID, two, and the layout picked for them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DISCORD, LATER, PATIENCE_MS, PHONE, TWEET, copied, paste, start } from './page.mjs'

let site
before(async () => {
  site = await start()
})
after(() => site.end())

const readAs = page => page.locator('#view-decode').getByLabel('Read as')
const idBox = page => page.getByRole('textbox', { name: 'ID', exact: true })

test('the first screen has an example, decoded', () =>
  site.open('', async page => {
    await page.getByText('Tue, 28 June 2022 at 16:07:40.105 UTC').first().waitFor()
    assert.equal(await idBox(page).inputValue(), TWEET)
    const facts = await page.locator('.facts').innerText()
    assert.match(facts, /Worker ID\s+378\s+of 1023/)
    assert.match(facts, /Sequence\s+0\s+of 4095/)
    assert.match(facts, /1656432460105/)
    assert.equal(await page.locator('#view-decode .bit').count(), 64)
    const bits = await page.locator('#view-decode .bit').allInnerTexts()
    assert.equal(BigInt(`0b${bits.join('')}`), BigInt(TWEET))
  }))

test('an ID is taken in every form that the page itself shows', () =>
  site.open('', async page => {
    const forms = await page.locator('.forms code').allInnerTexts()
    assert.equal(forms.length, 9)
    for (const text of [...forms, `"${TWEET}"`, '0x1565A11F6217A000', `${TWEET}n`]) {
      await idBox(page).fill(text)
      const select = readAs(page)
      const options = await select
        .locator('option')
        .evaluateAll(list => list.map(option => option.value))
      const read = []
      for (const option of options) {
        await select.selectOption(option)
        read.push(await page.locator('.forms code').first().innerText())
      }
      assert.ok(read.includes(TWEET), text)
    }
  }))

test('pasting replaces the ID and tells what was found', () =>
  site.open('', async page => {
    await idBox(page).focus()
    await page.keyboard.press('Control+A')
    await paste(page, ` ${DISCORD}\n`)
    await page.getByRole('radio', { name: /^discord/ }).check()
    await page.getByText('Sat, 30 April 2016 at 11:18:25.796 UTC').first().waitFor()
    await page
      .locator('#live', { hasText: 'worker 1, process 0, sequence 7, as discord' })
      .waitFor({ state: 'attached' })
  }))

test('candidates, the others and the reasons', () =>
  site.open(`#decode?id=${TWEET}`, async page => {
    const names = () => page.locator('.candidate b').allInnerTexts()
    assert.equal((await names()).length, 5)
    assert.equal((await names())[0], 'twitter')
    await page.getByRole('button', { name: /^Show \d+ more/ }).click()
    assert.ok((await names()).length > 5)
    assert.equal(await page.evaluate(() => document.activeElement.type), 'radio')
    await page.getByText(/^Ruled out/).click()
    await page.getByText('bits that are constant there differ').first().waitFor()
    await page.locator('.candidate', { hasText: 'instagram' }).getByRole('radio').check()
    assert.equal(await page.getByLabel('Layout', { exact: true }).first().inputValue(), 'instagram')
    assert.match(await page.locator('.when').first().innerText(), /21 June 2017/)
    assert.match(page.url(), /layout=instagram/)
  }))

test('a layout that the ID cannot have says so', () =>
  site.open(`#decode?id=${TWEET}`, async page => {
    await page
      .locator('#view-decode')
      .getByLabel('Layout', { exact: true })
      .first()
      .selectOption('cosid-js-ms')
    await page.getByText('has constant bits that this ID does not have').waitFor()
    assert.equal(await page.locator('#view-decode .bits').isHidden(), true)
    await page.getByRole('radio', { name: /^twitter/ }).check()
    assert.equal(await page.locator('#view-decode .bits').isVisible(), true)
  }))

test('hovering, focusing and pressing a field explains it', () =>
  site.open('', async page => {
    const words = page.locator('#view-decode .bits-meaning')
    assert.match(
      await words.innerText(),
      /^time · bits 62–22 · 367,597,485,448 ticks of 1 ms after 2010-11-04/,
    )
    await page.locator('.bit[data-kind=worker]').first().hover()
    assert.match(await words.innerText(), /^worker · bits 16–12 · 26 of 0 to 31/)
    await page.locator('h1').first().hover()
    assert.match(await words.innerText(), /^time/)
    await page.locator('.chip', { hasText: 'time' }).focus()
    await page.keyboard.press('ArrowRight')
    assert.match(await words.innerText(), /^datacenter · bits 21–17 · 11 of 0 to 31/)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.locator('h1').first().hover()
    assert.match(await words.innerText(), /^sequence · bits 11–0/)
  }))

test('everything is copied by its button', () =>
  site.open('', async page => {
    const expected = {
      'Copy decimal': TWEET,
      'Copy hexadecimal': '1565a11f6217a000',
      'Copy the time as ISO 8601': '2022-06-28T16:07:40.105Z',
      'Copy the time in Unix milliseconds': '1656432460105',
    }
    for (const [name, text] of Object.entries(expected)) {
      const button = page.getByRole('button', { name, exact: true })
      // It says so for a moment only.
      await button.evaluate(element => {
        element.said = []
        new MutationObserver(() => element.said.push(element.textContent)).observe(element, {
          childList: true,
        })
      })
      assert.equal(await copied(page, button), text)
      await page
        .locator('#live', { hasText: name.replace('Copy', 'Copied') })
        .waitFor({ state: 'attached' })
      assert.equal(await button.evaluate(element => element.said[0]), 'Copied')
    }
  }))

test('errors say what would be right, and go when it is', () =>
  site.open('', async page => {
    const cases = {
      '99999999999999999999': /is larger than 64 bits/,
      '1.54181560360604E+18': /rounded by a spreadsheet/,
      'hello': /looks like a word, no ID/,
      'hello world, this is no list': /looks like several words, no ID/,
      'order_16dmyx2q27zr13fbxx4n8d1ajdm': /looks like a public ID.*--type order order_16dmyx/,
      'größe': /in no form's alphabet/,
    }
    for (const [text, words] of Object.entries(cases)) {
      await idBox(page).fill(text)
      assert.match(await page.getByRole('alert').first().innerText(), words)
      assert.equal(await idBox(page).getAttribute('aria-invalid'), 'true')
      assert.equal(await page.locator('#view-decode .result').isHidden(), true)
    }
    await page.getByRole('button', { name: 'Clear', exact: true }).first().click()
    await page.getByText('Give an ID: its decimal digits').waitFor()
    await page.getByRole('button', { name: 'Discord' }).click()
    assert.equal(await idBox(page).inputValue(), DISCORD)
    assert.equal(await page.locator('#view-decode .result').isVisible(), true)
  }))

test('the command for a public ID fits on a phone', () =>
  site.open(
    '',
    async page => {
      const token = `${'a'.repeat(32)}_16dmyx2q27zr13fbxx4n8d1ajdm`
      await idBox(page).fill(token)
      assert.match(await page.getByRole('alert').first().innerText(), new RegExp(`${token}$`))
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width)
    },
    { viewport: PHONE },
  ))

test('UUIDs and ULIDs are answers', () =>
  site.open('', async page => {
    const cases = {
      '01890a5d-ac96-774b-bcce-b302099a8057': [/30 June 2023/, /UUID of version 7/],
      '01ARZ3NDEKTSV4RRFFQ69G5FAV': [/30 July 2016/, /ULID/],
      '{3f2504e0-4f89-41d3-9a0c-0305e82c3301}': [/UUID of version 4/, /random and holds no time/],
    }
    for (const [text, [when, what]] of Object.entries(cases)) {
      await idBox(page).fill(text)
      assert.match(await page.locator('#view-decode .when').innerText(), when)
      assert.match(await page.locator('#view-decode .facts').innerText(), what)
      assert.equal(await page.locator('#view-decode .hero .problem').textContent(), '')
      assert.equal(await page.locator('#view-decode .bits').isHidden(), true)
      assert.equal(await page.locator('.candidate').first().isHidden(), true)
    }
    await idBox(page).fill(TWEET)
    assert.equal(await page.locator('#view-decode .bits').isVisible(), true)
    assert.equal(await page.locator('.candidate').first().isVisible(), true)
  }))

test('text that is no ID says so where it was typed, and stays there', () =>
  site.open('', async page => {
    for (const text of ['hello', 'a list, of words', 'one\ntwo\nthree', 'see https://example.org/about']) {
      await idBox(page).fill(text)
      await page.locator('#view-decode .hero .problem', { hasText: /\S/ }).waitFor()
      assert.equal(await page.locator('#view-decode').isVisible(), true, text)
      assert.equal(await idBox(page).inputValue(), text)
      assert.equal(await idBox(page).getAttribute('aria-invalid'), 'true')
    }
  }))

test('the field is as high as its text, so that no scroll bar covers a button', () =>
  site.open('', async page => {
    // Lines are read after a pause.
    const timeout = PATIENCE_MS / 10
    for (const width of [1280, 1000, 777, 500, 360]) {
      await page.setViewportSize({ width, height: 740 })
      for (const text of [TWEET, 'one\ntwo\nthree']) {
        await idBox(page).fill('')
        await idBox(page).fill(text)
        const field = await idBox(page).elementHandle()
        await page.waitForFunction(area => area.scrollHeight <= area.clientHeight, field, { timeout })
      }
    }
  }))

test('a small number is not dated, until a layout is chosen', () =>
  site.open('', async page => {
    await idBox(page).fill('12345')
    await page.getByText('A number without a time', { exact: true }).waitFor()
    assert.equal(await page.locator('#view-decode time').count(), 0)
    assert.match(await page.locator('.forms').innerText(), /0000000000003039/)
    const layout = page.locator('#view-decode').getByLabel('Layout', { exact: true }).first()
    assert.equal(await layout.inputValue(), '')
    await layout.selectOption('twitter')
    await page.getByText('Thu, 4 November 2010').first().waitFor()
  }))

test('a guess is called one, and what stands beside an ID counts', () =>
  site.open('', async page => {
    await idBox(page).fill(DISCORD)
    assert.match(await page.locator('#view-decode .eyebrow').innerText(), /if it is of discord: a guess/i)
    for (const text of [`{"guild_id": "${DISCORD}"}`, `https://discord.com/channels/${DISCORD}`]) {
      await idBox(page).fill(TWEET)
      await idBox(page).fill(text)
      assert.match(await page.locator('#view-decode .when').innerText(), /30 April 2016/)
      assert.match(await page.locator('.candidate').first().innerText(), /^discord[^]*named beside it/)
      const facts = await page.locator('#view-decode .facts').innerText()
      assert.match(facts, /Worker\s+1\s+of 31[^]*Process\s+0\s+of 31/)
      assert.match(page.url(), /layout=discord/)
    }
  }))

test('the time of the reader stands beside UTC', () =>
  site.open(
    `#decode?id=${TWEET}`,
    async page => {
      const answer = await page.locator('#view-decode .answer').innerText()
      assert.match(answer, /16:07:40\.105 UTC\s+Wed, 29 June 2022 at 01:07:40\.105 .* in Asia\/Tokyo/)
    },
    { timezoneId: 'Asia/Tokyo' },
  ))

test('on a phone the layout is chosen above the date', () =>
  site.open(
    `#decode?id=${TWEET}`,
    async page => {
      const [picker, when] = await Promise.all(
        ['.answer-row .field', '.when'].map(name => page.locator(`#view-decode ${name}`).first().boundingBox()),
      )
      assert.ok(picker.y + picker.height <= when.y)
      // For screen readers and the keyboard as well, on any screen.
      assert.equal(
        await page.evaluate(() => {
          const [field, answer] = ['.field select', '.when'].map(name => document.querySelector(`#view-decode .answer-row ${name}`))
          return Boolean(field.compareDocumentPosition(answer) & Node.DOCUMENT_POSITION_FOLLOWING)
        }),
        true,
      )
    },
    { viewport: PHONE },
  ))

test('negative decimals and rounded ones are pointed out', () =>
  site.open('', async page => {
    await idBox(page).fill('-9033372036854775808')
    await page.getByText('is negative as a signed integer').waitFor()
    assert.ok((await page.locator('.forms code').allInnerTexts()).includes('-9033372036854775808'))
    await idBox(page).fill('1541815603606036500')
    await page.getByText('looks rounded, as JavaScript and spreadsheets round').waitFor()
  }))

test("the state is in the URL, and the way back is the browser's", () =>
  site.open('', async page => {
    await idBox(page).fill('4aaW4SzAyQK')
    await readAs(page).selectOption('base58')
    await page.getByRole('radio', { name: /^instagram/ }).check()
    await page.reload()
    assert.equal(await idBox(page).inputValue(), '4aaW4SzAyQK')
    assert.equal(await readAs(page).inputValue(), 'base58')
    assert.match(await page.locator('.when').first().innerText(), /21 June 2017/)
    await page.getByRole('tab', { name: 'Range' }).click()
    await page.goBack()
    await page.locator('#view-decode h1').waitFor()
    assert.equal(await idBox(page).inputValue(), '4aaW4SzAyQK')
  }))

test('links with nonsense in them open', async () => {
  for (const hash of [
    '#decode?id=&layout=nobody&form=nine',
    '#decode?layout=time:99@0/1',
    '#design?fields=x&epoch=y&tick=0',
    '#many?ids=!!!&mod=7&layout=zzz',
    '#compare?a=x',
    '#range?from=never&layout=x',
    '#%%%',
    '#many?ids=1.2',
  ]) {
    await site.open(hash, async page => {
      assert.equal(await page.locator('.view:not([hidden])').count(), 1)
    })
  }
})

test('one ID is taken out of what stands around it, and is what the link has', () =>
  site.open('', async page => {
    for (const text of [
      `{"id": ${TWEET}, "name": "x"}`,
      `https://twitter.com/jack/status/${TWEET}`,
      `id\n${TWEET}\n`,
      `${TWEET} 🐦`,
    ]) {
      await page.getByRole('button', { name: 'Discord' }).click()
      await idBox(page).fill(text)
      await page.getByText(`The ID in it: ${TWEET}`).waitFor()
      assert.equal(await page.locator('.forms code').first().innerText(), TWEET)
      const said = text.includes('twitter.com') ? '&layout=twitter' : ''
      assert.equal(new URL(page.url()).hash, `#decode?id=${TWEET}${said}`)
      assert.equal(await idBox(page).inputValue(), text)
    }
    await page.getByRole('tab', { name: 'Compare' }).click()
    const compare = page.locator('#view-compare')
    await compare.getByLabel('First ID').fill(`<@${LATER}>`)
    await compare.getByText('They are the same ID.').waitFor()
  }))

test('two IDs are compared, more are looked at together', () =>
  site.open('', async page => {
    await idBox(page).fill(`${TWEET}, ${LATER}`)
    await page.locator('#view-compare').getByText('The first is older, by 2.97 seconds.').waitFor()
    await page.goBack()
    await idBox(page).fill(`${TWEET}\n${LATER}\n${DISCORD}`)
    const count = page.locator('#view-many .tile', { hasText: 'IDs' })
    await count.getByText('3', { exact: true }).waitFor()
    await page.reload()
    await count.getByText('3', { exact: true }).waitFor()
    assert.equal(
      await page.locator('#view-many textarea').inputValue(),
      `${TWEET}\n${LATER}\n${DISCORD}`,
    )
  }))

test('comparing: older, by how much, worker, bits', () =>
  site.open('#compare', async page => {
    const panel = page.locator('#view-compare')
    await panel.getByText('The first is older, by 2.97 seconds.').waitFor()
    await panel.getByText('They are of different workers, 378 and 376.').waitFor()
    const worker = panel.locator('tr', { hasText: /^worker/ })
    assert.deepEqual(await worker.locator('td').allInnerTexts(), ['26', '24', '−2'])
    const marked = await panel.locator('.bits').first().locator('.is-marked').count()
    const differing = (BigInt(TWEET) ^ BigInt(LATER)).toString(2).replaceAll('0', '').length
    assert.equal(marked, differing)
    await panel.getByRole('button', { name: 'Swap them' }).click()
    await panel.getByText('The second is older, by 2.97 seconds.').waitFor()
    assert.match(page.url(), new RegExp(`a=${LATER}&b=${TWEET}`))
    await panel.getByLabel('Second ID').fill('nö')
    await panel.getByText(/in no form's alphabet/).waitFor()
    assert.equal(await panel.locator('.result').isHidden(), true)
    await panel.getByLabel('Second ID').fill(`0x${BigInt(LATER).toString(16)}`)
    await panel.getByText('They are the same ID.').waitFor()
    await panel.getByLabel('Layout', { exact: true }).selectOption('cosid-js-ms')
    await panel.getByText('bits that are constant there differ').waitFor()
  }))
