// packages/npm/test/reading.mjs for pages, which have no files.

import assert from './assert.mjs'

const NAMES = ['errors', 'known-ids', 'layouts', 'segments', 'snowflakes', 'texts']
const documents = new Map(await Promise.all(NAMES.map(async name => {
  const response = await fetch(`/vectors/${name}.json`)
  return [`${name}.json`, await response.json()]
})))

export function document(name) {
  return documents.get(name)
}

export function keys(row, ...known) {
  for (const key of Object.keys(row)) assert.ok(known.includes(key), `unknown key ${key} in ${JSON.stringify(row)}`)
}

export function judge(row, call, check) {
  if (row.error === undefined) check(call())
  else assert.throws(call, { code: row.error }, JSON.stringify(row))
}
