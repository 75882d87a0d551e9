// A layout as code, with a tab for each language.

import { copyButton } from '../clipboard.js'
import { h } from '../elements.js'
import { LANGUAGES, snippetOf } from '../snippets.js'
import { makeTabs } from '../tabs.js'

/** Creates the card. It calls `choose` with the language that the user selects. */
export function makeCode(app, choose) {
  const code = h('code')
  const list = h('div', { 'role': 'tablist', 'aria-label': 'Language', 'class': 'tabs tabs-small' })
  const select = makeTabs(list, LANGUAGES, choose)
  const panels = LANGUAGES.map(({ name }) =>
    h('div', {
      'role': 'tabpanel',
      'id': `view-${name}`,
      'aria-labelledby': `tab-${name}`,
      'hidden': true,
    }),
  )
  const box = h(
    'div',
    { class: 'code-box' },
    h('pre', { 'tabindex': '0', 'role': 'region', 'aria-label': 'Code' }, code),
    copyButton('the code', () => code.textContent, app.announce),
  )
  const element = h(
    'section',
    { 'class': 'card', 'aria-label': 'As code' },
    h('h2', {}, 'As code'),
    list,
    ...panels,
  )

  function show(layout, chosen) {
    const language = LANGUAGES.some(({ name }) => name === chosen) ? chosen : LANGUAGES[0].name
    select(language)
    code.textContent = snippetOf(language, {
      fields: layout.text,
      epochMs: layout.epochMs,
      tickMs: layout.tickMs,
      workerId: Math.min(7, layout.maxWorkerId),
    })
    for (const panel of panels) {
      panel.hidden = panel.id !== `view-${language}`
      if (!panel.hidden) panel.append(box)
    }
  }

  return { element, show }
}
