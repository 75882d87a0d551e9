// Light, dark, or as the system has it; kept by the browser.

import { h } from './elements.js'

const THEMES = [
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]
const KEY = 'snowmint-theme'

/** Fills the group of radio buttons, and applies what was chosen before. */
export function makeThemes(group) {
  const chosen = recall()
  apply(chosen)
  for (const [value, title] of THEMES) {
    const radio = h('input', {
      type: 'radio',
      name: 'theme',
      value,
      checked: value === chosen,
      on: { change: () => take(value) },
    })
    group.append(h('label', { class: 'theme' }, radio, h('span', {}, title)))
  }
  // In another tab, or in the page around this one.
  addEventListener('storage', ({ key }) => {
    if (key !== KEY) return
    const theme = recall()
    apply(theme)
    group.querySelector(`[value="${theme}"]`).checked = true
  })
}

function take(theme) {
  apply(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Storage is switched off: it holds until the page is closed.
  }
}

/** What was chosen before. */
export function recall() {
  try {
    const kept = localStorage.getItem(KEY)
    return THEMES.some(([value]) => value === kept) ? kept : 'auto'
  } catch {
    return 'auto'
  }
}

/** Colours the page. */
export function apply(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
