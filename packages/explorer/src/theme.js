// The theme: light, dark, or the system's. The browser keeps the choice.

import { h } from './elements.js'

const THEMES = [
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]
const KEY = 'snowmint-theme'

/** Fills the group of radio buttons, and applies the earlier choice. */
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
  // Another tab, or the page around this one, changed the theme.
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
    // Storage is switched off, so the choice lasts until the page is closed.
  }
}

/** Returns the earlier choice. */
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
