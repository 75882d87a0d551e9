'use strict'
// IDs as text, and in JSON.

const native = require('./native.js')
const check = require('./arguments.js')
const { SnowmintError } = require('./errors.js')

const forms = []
const indices = new Map()

native.ready(() => {
  for (const { name, alphabet, width = null, sortable } of native.textForms()) {
    indices.set(name, forms.length)
    forms.push(Object.freeze({ name, alphabet, width, sortable }))
  }
  Object.freeze(forms)
})

function textForms() {
  return forms
}

/** The place of a form in the addon's table. */
function formIndex(name) {
  const index = indices.get(name)
  // The addon words the error.
  if (index === undefined) native.formatText(0n, check.text(name, 'the form'))
  return index
}

function format(id, form = 'dec') {
  return native.formatText(check.id(id), check.text(form, 'the form'))
}

function detect(text) {
  return native.detectText(check.text(text, 'the text')) ?? null
}

function parse(text, form) {
  const known = form ?? detect(text)
  if (known === null) {
    const message = `${JSON.stringify(text)} is in no form that can be told by its look: name the form`
    throw new SnowmintError('invalid_text', message)
  }
  return native.parseText(check.text(text, 'the text'), check.text(known, 'the form'))
}

function replacer(_key, value) {
  return typeof value === 'bigint' ? String(value) : value
}

function stringify(value, space) {
  return JSON.stringify(value, replacer, space)
}

module.exports = { detect, format, formIndex, parse, replacer, stringify, textForms }
