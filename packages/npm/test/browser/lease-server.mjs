// The ID service of tests/lease-server, on a port of its own for one test.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { root } from '../reading.mjs'

const program = process.env.SNOWMINT_LEASE_SERVER ??
  path.join(root, 'target/debug/snowmint-lease-server')

/** How long a test waits for what must come: no machine is slower, and none has to be faster. */
export const PATIENCE_MS = 300_000

/** Starts one that ends with the test; `control` sets its switches and tells its state. */
export async function leaseServer(t, ...options) {
  const server = spawn(program, options, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(server.stdout, 'data')
  const url = `http://127.0.0.1:${Number(line)}`
  t.after(async () => {
    server.stdin.end()
    if (server.exitCode === null) await once(server, 'exit')
  })
  async function control(switches) {
    const request = switches && { method: 'POST', body: JSON.stringify(switches) }
    const response = await fetch(`${url}/control`, request)
    const told = await response.json()
    assert.ok(response.ok, told.message)
    return told
  }
  const held = async () => (await control()).workers.filter(row => row.held)
  return { url, control, held }
}

/** Asks until the answer is as wanted. */
export async function until(ask) {
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
