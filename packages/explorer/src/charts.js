// Charts of at most a few hundred marks, as SVG: sharp, and themed by the style sheet. Their
// numbers are also in a table, for readers who do not see the charts.

import { h, replace, s } from './elements.js'
import { grouped } from './moments.js'

const HEIGHT = 150

/**
 * Creates a figure with columns. `bars` are `{ label, count, marked }`, `ends` are the words below
 * the first and the last column, and `summary` is the chart's message.
 */
export function columnChart({ title, summary, bars, ends, expected, noun = 'IDs' }) {
  const most = Math.max(1, ...bars.map(({ count }) => count), expected ?? 0)
  const width = 100 / bars.length
  const gap = Math.min(width * 0.18, 1.2)
  const shapes = bars.map(({ count, marked }, index) => {
    const height = count === 0 ? 0 : Math.max(1, (count / most) * 100)
    return s('rect', {
      class: marked ? 'bar is-marked' : 'bar',
      x: `${index * width + gap / 2}%`,
      y: `${100 - height}%`,
      width: `${width - gap}%`,
      height: `${height}%`,
      rx: bars.length > 40 ? 1 : 3,
    })
  })
  const level =
    expected === undefined
      ? null
      : s('line', {
          class: 'level',
          x1: '0',
          x2: '100%',
          y1: `${100 - (expected / most) * 100}%`,
          y2: `${100 - (expected / most) * 100}%`,
        })
  const drawing = s(
    'svg',
    {
      'class': 'plot',
      'role': 'img',
      'aria-label': `${title}. ${summary}`,
      'height': HEIGHT,
      'width': '100%',
    },
    ...shapes,
    level,
  )
  const at = event => {
    const { left, width: pixels } = drawing.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / pixels) * bars.length)
    return Math.min(bars.length - 1, Math.max(0, index))
  }
  const readout = readoutOf(
    drawing,
    summary,
    event => {
      const bar = bars[at(event)]
      shapes.forEach((shape, index) => shape.classList.toggle('is-lit', index === at(event)))
      return (
        `${bar.label}: ${grouped(bar.count)} ` +
        `${bar.count === 1 ? noun.replace(/s$/, '') : noun}`
      )
    },
    () => shapes.forEach(shape => shape.classList.remove('is-lit')),
  )
  return figure(
    title,
    readout,
    drawing,
    axis(ends, most, noun),
    numbers(title, ['Where', noun], () => bars.map(({ label, count }) => [label, grouped(count)])),
  )
}

/** Creates a figure with horizontal bars. `bars` are `{ label, count }`, the longest first. */
export function rankChart({ title, summary, bars }) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const rows = bars.map(({ label, count }) => {
    const bar = h('span', { class: 'rank-bar' })
    bar.style.width = `${Math.max(0.5, (count / most) * 100)}%`
    return h(
      'li',
      { class: 'rank' },
      h('span', { class: 'rank-label' }, label),
      h('span', { class: 'rank-track' }, bar),
      h('span', { class: 'rank-count' }, grouped(count)),
    )
  })
  return figure(title, h('p', { class: 'readout' }, summary), h('ol', { class: 'ranks' }, ...rows))
}

/** Creates a figure with the time at each place. `points` are those of `courseOf`. */
export function courseChart({ title, summary, points, ends, words }) {
  const low = points.reduce((min, point) => (point.low < min ? point.low : min), points[0].low)
  const high = points.reduce((max, point) => (point.high > max ? point.high : max), points[0].high)
  const range = Number(high - low) || 1
  const height = ms => 98 - (Number(ms - low) / range) * 96
  const across = index => ((index + 0.5) / points.length) * 100
  const upper = points.map((point, index) => `${across(index)} ${height(point.high)}`)
  const lower = points.map((point, index) => `${across(index)} ${height(point.low)}`).reverse()
  const drawing = s(
    'svg',
    {
      'class': 'plot',
      'role': 'img',
      'aria-label': `${title}. ${summary}`,
      'height': HEIGHT,
      'width': '100%',
      'viewBox': '0 0 100 100',
      'preserveAspectRatio': 'none',
    },
    ...points.flatMap(({ falls }, index) => (falls ? [fall(across(index))] : [])),
    s('path', { class: 'course', d: `M${[...upper, ...lower].join('L')}Z` }),
  )
  const readout = readoutOf(
    drawing,
    summary,
    event => {
      const { left, width } = drawing.getBoundingClientRect()
      const index = Math.floor(((event.clientX - left) / width) * points.length)
      const { from, low: first, falls } = points[Math.min(points.length - 1, Math.max(0, index))]
      const back = falls ? `; goes back ${falls === 1 ? 'once' : `${grouped(falls)} times`}` : ''
      return `From place ${grouped(from + 1)} on: ${words(first)}${back}`
    },
    () => {},
  )
  return figure(title, readout, drawing, axis(ends))
}

function fall(x) {
  return s('line', { class: 'fall', x1: x, x2: x, y1: 0, y2: 100 })
}

function figure(title, ...children) {
  return h('figure', { class: 'chart' }, h('figcaption', {}, h('h3', {}, title)), ...children)
}

function readoutOf(drawing, summary, words, leave) {
  const readout = h('p', { class: 'readout' }, summary)
  drawing.addEventListener('pointermove', event => {
    readout.textContent = words(event)
  })
  drawing.addEventListener('pointerleave', () => {
    readout.textContent = summary
    leave()
  })
  return readout
}

function axis(ends, most, noun) {
  if (!ends) return null
  const top = most && h('span', { class: 'axis-top' }, `tallest: ${grouped(most)} ${noun}`)
  return h('p', { class: 'axis' }, h('span', {}, ends[0]), top, h('span', {}, ends[1]))
}

/** Creates a table that is filled when the user opens it. */
function numbers(title, heads, rows) {
  const table = h('table', { class: 'numbers' })
  const scroller = h(
    'div',
    { 'class': 'scroller', 'tabindex': '0', 'role': 'region', 'aria-label': `Numbers: ${title}` },
    table,
  )
  return h(
    'details',
    {
      class: 'numbers-box',
      on: {
        toggle: () =>
          replace(
            table,
            h('thead', {}, h('tr', {}, ...heads.map(head => h('th', { scope: 'col' }, head)))),
            h(
              'tbody',
              {},
              ...rows().map(row => h('tr', {}, ...row.map(cell => h('td', {}, cell)))),
            ),
          ),
      },
    },
    h('summary', {}, 'Numbers'),
    scroller,
  )
}
