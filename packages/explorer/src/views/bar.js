// The bar of a layout's fields, with borders to drag.

import { h, replace } from '../elements.js'
import { bordersOf, moveBorder } from '../widths.js'

/** The distances by which keys move a border. */
const STEPS = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -4,
  PageUp: 4,
  Home: -64,
  End: 64,
}

/** Creates the bar. It calls `change` with the fields that the user wants. */
export function makeBar(change) {
  const element = h('div', {
    'class': 'bar-box',
    'role': 'group',
    'aria-label': 'The 64 bits. Each slider is a border between two fields',
  })
  let fields = []
  let dragged = null

  function show(next) {
    const same = next.map(({ kind }) => kind).join() === fields.map(({ kind }) => kind).join()
    fields = next
    if (same) update()
    else
      replace(
        element,
        ...fields.flatMap((_, index) => [
          segment(index),
          index + 1 < fields.length && border(index),
        ]),
      )
    update()
  }

  function segment(index) {
    return h(
      'div',
      { 'class': 'segment', 'data-kind': fields[index].kind, 'aria-hidden': 'true' },
      h('span', { class: 'segment-name' }),
      h('b', {}),
    )
  }

  function border(index) {
    return h('div', {
      'class': 'border',
      'role': 'slider',
      'tabindex': '0',
      'aria-orientation': 'horizontal',
      'on': {
        keydown: event => onKey(event, index),
        pointerdown: event => {
          dragged = index
          event.currentTarget.setPointerCapture(event.pointerId)
          event.currentTarget.focus()
          event.preventDefault()
        },
        pointermove: event => {
          if (dragged === index) drag(event, index)
        },
        pointerup: () => {
          dragged = null
        },
        pointercancel: () => {
          dragged = null
        },
      },
    })
  }

  function update() {
    let before = 0
    fields.forEach(({ kind, bits }, index) => {
      const part = element.children[index * 2]
      part.style.flexGrow = bits
      part.classList.toggle('is-narrow', bits < 5)
      part.classList.toggle('is-empty', bits === 0)
      part.children[0].textContent = kind === 'zero' ? 'unused' : kind
      part.children[1].textContent = String(bits)
      before += bits
      const slider = element.children[index * 2 + 1]
      if (slider) place(slider, index, before)
    })
  }

  function place(slider, index, before) {
    const [upper, lower] = [fields[index], fields[index + 1]]
    const { min, max } = bordersOf(fields, index)
    slider.style.left = `${(before / 64) * 100}%`
    slider.setAttribute('aria-label', `Border between ${nameOf(upper)} and ${nameOf(lower)}`)
    slider.setAttribute('aria-valuemin', min)
    slider.setAttribute('aria-valuemax', max)
    slider.setAttribute('aria-valuenow', upper.bits)
    slider.setAttribute(
      'aria-valuetext',
      `${nameOf(upper)} ${upper.bits} bits, ${nameOf(lower)} ${lower.bits} bits`,
    )
  }

  function onKey(event, index) {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    change(moveBorder(fields, index, fields[index].bits + step))
  }

  function drag(event, index) {
    const { left, width } = element.getBoundingClientRect()
    const bit = Math.round(((event.clientX - left) / width) * 64)
    const above = fields.slice(0, index).reduce((sum, { bits }) => sum + bits, 0)
    const next = moveBorder(fields, index, bit - above)
    if (next[index].bits !== fields[index].bits) change(next)
  }

  return { element, show }
}

function nameOf({ kind }) {
  return kind === 'zero' ? 'unused bits' : kind
}
