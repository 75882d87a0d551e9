// The 64 bits of an ID, field by field.

import { h, replace, uniqueId } from './elements.js'
import { fieldsOf } from './layouts.js'
import { grouped } from './moments.js'
import { neighbour } from './tabs.js'

/**
 * Creates a figure of an ID's bits. Hovering or focusing a field explains it. Pressing it keeps the
 * explanation.
 */
export function makeBits() {
  const explanation = h('p', { id: uniqueId('meaning'), class: 'bits-meaning' })
  const chips = h('div', { 'class': 'chips', 'role': 'toolbar', 'aria-label': 'Fields of the ID' })
  const grid = h('div', { 'class': 'bits-grid', 'aria-hidden': 'true' })
  const ruler = h('div', { 'class': 'bits-ruler', 'aria-hidden': 'true' })
  const element = h('div', { class: 'bits' }, chips, grid, ruler, explanation)
  let fields = []
  let kept = 0

  function show(layout, id, marked) {
    const before = fields.map(({ kind, shift }) => `${kind}${shift}`).join()
    fields = fieldsOf(layout, id)
    if (fields.map(({ kind, shift }) => `${kind}${shift}`).join() !== before) {
      kept = fields.findIndex(({ kind }) => kind === 'time')
    }
    replace(chips, ...fields.map(chip))
    replace(grid, ...fields.map((field, index) => cells(field, index, marked)).flat())
    replace(ruler, ...fields.map(bracket))
    explain(kept)
  }

  function chip(field, index) {
    const { kind, title, bits, value } = field
    return h(
      'button',
      {
        'type': 'button',
        'class': 'chip',
        'data-kind': kind,
        'aria-pressed': String(index === kept),
        'aria-describedby': explanation.id,
        'tabindex': index === kept ? '0' : '-1',
        'on': {
          click: () => keep(index),
          focus: () => explain(index),
          blur: () => explain(kept),
          pointerenter: () => explain(index),
          pointerleave: () => explain(kept),
          keydown: event => move(event, index),
        },
      },
      h('span', { class: 'chip-name' }, title),
      ' ',
      h('b', {}, grouped(value)),
      ' ',
      h('span', { class: 'chip-bits' }, bits === 1 ? '1 bit' : `${bits} bits`),
    )
  }

  function cells({ kind, bits, shift, value }, index, marked = 0n) {
    return Array.from({ length: bits }, (_, place) => {
      const bit = bits - 1 - place
      const set = (value >> BigInt(bit)) & 1n
      const differs = (marked >> BigInt(bit + shift)) & 1n
      return h(
        'span',
        {
          'class': `bit${set ? ' is-set' : ''}${differs ? ' is-marked' : ''}`,
          'data-kind': kind,
          'data-field': index,
          'on': { pointerenter: () => explain(index), pointerleave: () => explain(kept) },
        },
        String(set),
      )
    })
  }

  function bracket({ kind, bits, shift }) {
    const mark = h(
      'span',
      { 'class': 'bracket', 'data-kind': kind },
      bits > 2 ? `${shift + bits - 1}–${shift}` : String(shift + bits - 1),
    )
    mark.style.gridColumn = `span ${bits}`
    return mark
  }

  function keep(index) {
    kept = index
    ;[...chips.children].forEach((button, place) => {
      button.setAttribute('aria-pressed', String(place === index))
      button.tabIndex = place === index ? 0 : -1
    })
    explain(index)
  }

  function move(event, index) {
    const target = neighbour(event.key, index, fields.length)
    if (target === null) return
    event.preventDefault()
    ;[...chips.children].forEach((button, place) => {
      button.tabIndex = place === target ? 0 : -1
    })
    chips.children[target].focus()
  }

  function explain(index) {
    const { title, place, meaning } = fields[index]
    replace(
      explanation,
      h('b', { 'data-kind': fields[index].kind }, title),
      ` · ${place} · ${meaning}`,
    )
    for (const cell of grid.children) {
      cell.classList.toggle('is-lit', Number(cell.dataset.field) === index)
    }
    ;[...chips.children].forEach((button, at) => button.classList.toggle('is-lit', at === index))
  }

  return { element, show }
}
