// Tabs by the pattern that keyboards and screen readers know: one tab stop, and arrow keys between
// tabs.

import { h } from './elements.js'

/** Fills a tablist. It calls `choose` with the name of the tab that the user selects. */
export function makeTabs(list, tabs, choose) {
  const buttons = tabs.map(({ name, title }) =>
    h(
      'button',
      {
        'type': 'button',
        'role': 'tab',
        'class': 'tab',
        'id': `tab-${name}`,
        'aria-controls': `view-${name}`,
        'on': { click: () => choose(name), keydown: event => onKey(event, name) },
      },
      title,
    ),
  )
  list.append(...buttons)

  function onKey(event, name) {
    const index = tabs.findIndex(tab => tab.name === name)
    const target = neighbour(event.key, index, tabs.length)
    if (target === null) return
    event.preventDefault()
    choose(tabs[target].name)
    buttons[target].focus()
  }

  // Only the row scrolls: the page stays in place.
  function scrollTo(button) {
    const { left, right } = button.getBoundingClientRect()
    const row = list.getBoundingClientRect()
    list.scrollLeft += Math.min(0, left - row.left) + Math.max(0, right - row.right)
  }

  return function select(name) {
    tabs.forEach((tab, index) => {
      const chosen = tab.name === name
      buttons[index].setAttribute('aria-selected', String(chosen))
      buttons[index].tabIndex = chosen ? 0 : -1
      if (chosen) scrollTo(buttons[index])
    })
  }
}

/** Returns where a key leads in a row that arrow keys cycle through, or `null`. */
export function neighbour(key, index, count) {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return (index + 1) % count
    case 'ArrowLeft':
    case 'ArrowUp':
      return (index + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
