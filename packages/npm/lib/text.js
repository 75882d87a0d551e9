'use strict'
// IDs as text, and in JSON.

const native = require('./native.js')
const check = require('./arguments.js')
const { table } = require('./tables.js')

const forms = table(() => native.textForms().map(Object.freeze))

function textForms() {
  // This throws if no engine is loaded yet.
  native.limits()
  return forms
}

function format(id, form = 'dec') {
  return native.formatText(check.id(id), check.text(form, 'form'))
}

function detect(text) {
  return native.detectText(check.text(text, 'text'))
}

function parse(text, form) {
  const known = form ?? undefined
  return native.parseText(check.text(text, 'text'), known === undefined ? known : check.text(known, 'form'))
}

function replacer(_key, value) {
  // The array may be of any realm.
  if (ArrayBuffer.isView(value) && /^Big/.test(value[Symbol.toStringTag])) return Array.from(value, String)
  return typeof value === 'bigint' ? String(value) : value
}

// It has only one parameter, because Fastify passes the status as the second.
function stringify(value) {
  return JSON.stringify(value, replacer)
}

module.exports = { detect, format, parse, replacer, stringify, textForms }
