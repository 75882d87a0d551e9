// A table of thousands of rows, which contains only the visible ones.

import { h, replace } from '../../explorer/src/elements.js'

/** The height of a row in pixels, the same as in the stylesheet. */
const ROW = 44
/** The number of additional rows above and below the visible ones. */
const MORE = 6

/**
 * Creates a table that scrolls by itself. `columns` have `key`, `title`, `class` and `cell(row,
 * td)`, which fills a cell. The buttons in their titles call `sort(key)`.
 */
export function makeWindowed({ label, columns, sort, empty }) {
  const heads = columns.map(headOf)
  const [above, below] = [0, 1].map(() => h('tr', { 'aria-hidden': 'true' }, h('td')))
  const body = h('tbody', {}, above, below)
  const table = h('table', { class: 'rows windowed' }, h('thead', {}, h('tr', {}, ...heads)), body)
  const nothing = h('p', { class: 'soft nothing', hidden: true })
  const scroller = h(
    'div',
    { 'class': 'window', 'tabindex': '0', 'role': 'region', 'aria-label': label },
    table,
    nothing,
  )
  /** The rows in the table by their names. */
  const shown = new Map()
  let rows = []
  let asked = false

  scroller.addEventListener('scroll', drawSoon, { passive: true })
  new ResizeObserver(drawSoon).observe(scroller)

  function headOf({ key, title, class: of }) {
    const button = h(
      'button',
      { type: 'button', class: 'sort', on: { click: () => sort(key) } },
      title,
    )
    return h('th', { scope: 'col', class: of, 'data-key': key }, button)
  }

  function drawSoon() {
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      draw()
    })
  }

  function draw() {
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - MORE)
    const count = Math.ceil((scroller.clientHeight || 600) / ROW) + 2 * MORE
    const inSight = rows.slice(first, first + count)
    const names = new Set(inSight.map(({ name }) => name))
    for (const [name, { element }] of shown) {
      if (names.has(name)) continue
      // The focus stays in the table.
      if (element.contains(document.activeElement)) scroller.focus({ preventScroll: true })
      element.remove()
      shown.delete(name)
    }
    let before = above
    inSight.forEach((row, index) => {
      const drawn = shown.get(row.name) ?? make(row)
      drawn.element.setAttribute('aria-rowindex', first + index + 2)
      columns.forEach(({ cell }, at) => cell(row, drawn.cells[at]))
      if (before.nextSibling !== drawn.element) before.after(drawn.element)
      before = drawn.element
    })
    above.firstChild.style.height = `${first * ROW}px`
    below.firstChild.style.height = `${Math.max(0, rows.length - first - count) * ROW}px`
  }

  function make(row) {
    const cells = columns.map(({ class: of }, at) =>
      h(at === 0 ? 'th' : 'td', at === 0 ? { scope: 'row', class: of } : { class: of }),
    )
    const drawn = { element: h('tr', {}, ...cells), cells }
    shown.set(row.name, drawn)
    return drawn
  }

  /** Returns true if the pointer or the focus is in a row. The order does not change then. */
  function isHeld() {
    return body.matches(':hover') || body.contains(document.activeElement)
  }

  function show(next, { key, down }) {
    rows = next
    table.setAttribute('aria-rowcount', rows.length + 1)
    for (const head of heads) {
      const way = down ? 'descending' : 'ascending'
      if (head.dataset.key === key) head.setAttribute('aria-sort', way)
      else head.removeAttribute('aria-sort')
    }
    nothing.hidden = rows.length > 0
    table.hidden = rows.length === 0
    replace(nothing, rows.length > 0 ? '' : empty())
    draw()
  }

  return { element: scroller, show, draw, isHeld }
}

/** Puts a text into an element if it differs. */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text
}
