// The vectors as JSON values: 64-bit integers are strings there, narrower ones numbers.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const root = process.env.SNOWMINT_ROOT

export function document(name) {
  return JSON.parse(readFileSync(path.join(root, 'tests/vectors', name), 'utf8'))
}

/** Fails at keys that nobody reads: a case that says more than is tested is not tested. */
export function keys(row, ...known) {
  for (const key of Object.keys(row)) assert.ok(known.includes(key), `unknown key ${key} in ${JSON.stringify(row)}`)
}

/** Checks that a call gives what is expected, or the error that the case names. */
export function judge(row, call, check) {
  if (row.error === undefined) {
    check(call())
    return
  }
  assert.throws(call, { code: row.error }, JSON.stringify(row))
}

/** A fresh directory, removed after the test: what closes waits for no store, and may write there still. */
export function directory(t) {
  const made = mkdtempSync(path.join(tmpdir(), 'snowmint-'))
  t.after(() => rmSync(made, { recursive: true, force: true, maxRetries: 20 }))
  return made
}
