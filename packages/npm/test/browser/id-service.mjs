// `snowmint serve` over a file of its own, behind a proxy on which a test orders what goes wrong.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { directory, root } from '../reading.mjs'

const program = process.env.SNOWMINT ?? path.join(root, 'target/debug/snowmint')

/** The longest wait for what must come: no machine is slower, and none has to be faster. */
export const PATIENCE_MS = 300_000

/** The loader knows where the system has its libraries. */
const FAKETIME = '/usr/$LIB/faketime/libfaketimeMT.so.1'

/**
 * Starts a service that ends with the test.
 *
 * - `store`: its leases' store, a new file unless given
 * - `shiftMs`: so far its clock is off
 */
export async function idService(t, { store, shiftMs = 0 } = {}) {
  const state = directory(t)
  store ??= `sqlite:${path.join(state, 'ids.db')}?create=true`
  const address = await served(t, state, store, { shiftMs })
  const faults = new Faults()
  const proxy = http.createServer((request, response) => faults.forward(address, request, response))
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })

  const command = async (...words) => (await promisify(execFile)(program, words)).stdout
  const workers = async () => {
    const rows = (await command('worker', 'list', store, '--json')).split('\n').filter(Boolean)
    return rows.map(row => JSON.parse(row))
  }
  return {
    store,
    url: `http://127.0.0.1:${proxy.address().port}`,
    faults,
    counts: faults.counts,
    nowMs: () => Date.now() + shiftMs,
    workers,
    held: async () => (await workers()).filter(row => row.held),
    createTag: tag => command('segment', 'create', store, tag),
    evict: workerId => command('worker', 'release', store, String(workerId), '--yes'),
  }
}

/** Starts a service alone; gives the address where it says that it listens. `more`: further options. */
export async function served(t, state, store, { shiftMs = 0, ...more } = {}) {
  const options = {
    'http-listen': '127.0.0.1:0',
    'resp-listen': '',
    'admin-listen': '',
    'http-origins': '*',
    'leases-store': store,
    source: 'uuids=uuid:',
    ...more,
  }
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const env = { ...process.env, XDG_STATE_HOME: state }
  if (shiftMs !== 0) {
    const shift = `${shiftMs > 0 ? '+' : ''}${shiftMs / 1000}s`
    Object.assign(env, { LD_PRELOAD: FAKETIME, FAKETIME: shift, FAKETIME_DONT_FAKE_MONOTONIC: '1' })
  }
  const service = spawn(program, ['serve', ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(async () => {
    service.kill()
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit')
  })
  let said = ''
  for await (const text of service.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text
    const [, address] = said.match(/listening on (https?:\S+)\n/) ?? []
    if (address) {
      service.stderr.resume()
      return address
    }
  }
  assert.fail(`no service: ${said}`)
}

/** Faults between a client and the service. */
class Faults {
  /** Connections are closed without an answer. */
  isDown = false
  /** So many requests are refused, and the service does not hear of them. */
  refuse = 0
  /** The time after which refusals tell the client to ask again. */
  retryMs
  /** So many answers are lost. */
  drop = 0
  /** So many answers come later by `delayMs`. */
  delay = 0
  delayMs = 0
  /** The requests of each kind that the service has answered. */
  counts = { acquire: 0, renew: 0, release: 0, allocate: 0 }

  async forward(address, request, response) {
    if (this.isDown) return request.socket.destroy()
    const isAsked = request.method === 'POST'
    if (isAsked && this.#take('refuse')) return this.#refuse(request, response)
    const isDropped = isAsked && this.#take('drop')
    const delayMs = isAsked && this.#take('delay') ? this.delayMs : 0
    const { method, url, headers } = request
    const onward = http.request(new URL(url, address), { method, headers })
    onward.on('error', () => request.socket.destroy())
    request.pipe(onward)
    const [answer] = await once(onward, 'response').catch(() => [])
    if (!answer) return
    const kind = url.split('/').at(-1)
    if (isAsked && kind in this.counts) this.counts[kind]++
    if (isDropped) return request.socket.destroy()
    setTimeout(() => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    }, delayMs).unref()
  }

  #take(fault) {
    const isTaken = this[fault] > 0
    if (isTaken) this[fault]--
    return isTaken
  }

  #refuse(request, response) {
    const refusal = { code: 'store_unavailable', message: 'on request', retry_ms: this.retryMs, now_ms: `${Date.now()}` }
    response.writeHead(503, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'access-control-allow-origin': request.headers.origin ?? '*',
    })
    response.end(JSON.stringify(refusal))
  }
}

/** Asks until the answer is as wanted. */
export async function until(ask) {
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
