// New databases, on the server that all tests share, or on one for the tests of this file.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, before } from 'node:test'

import { root } from './reading.mjs'

/** Starts the server before the tests, unless one runs. Returns a function that returns its URL. */
function server(name) {
  let url
  let own

  before(async () => {
    url = process.env[`SNOWMINT_TEST_${name.toUpperCase()}`]
    if (url !== undefined) return
    own = spawn(path.join(root, 'scripts/servers'), ['run', name], { stdio: ['pipe', 'pipe', 'inherit'] })
    for await (const line of createInterface(own.stdout)) {
      url = line
      break
    }
    assert.ok(url, 'no server')
  })

  after(async () => {
    if (own === undefined) return
    own.stdin.end()
    await once(own, 'exit')
  })
  return () => url
}

/** Returns a function that makes a database for a test, and returns its URL. */
export function postgres() {
  const url = server('postgres')
  return t => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    const run = statement => execFileSync('psql', ['-X', '-q', '-d', url(), '-c', statement])
    run(`CREATE DATABASE ${name}`)
    t.after(() => run(`DROP DATABASE ${name} WITH (FORCE)`))
    return url().replace('/postgres?', `/${name}?`)
  }
}

/** Likewise, on MariaDB. */
export function mariadb() {
  const url = server('mariadb')
  return t => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    const { hostname, port } = new URL(url())
    const client = ['--no-defaults', '-u', 'root', '-h', hostname, '-P', port, '-e']
    const run = statement => execFileSync('mariadb', [...client, statement])
    run(`CREATE DATABASE ${name}`)
    t.after(() => run(`DROP DATABASE ${name}`))
    return url().replace('/mysql?', `/${name}?`)
  }
}
