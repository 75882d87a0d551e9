// Redis, etcd and ZooKeeper by their URLs.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { open, Store } from 'snowmint'

import { root } from './reading.mjs'

for (const kind of ['redis', 'etcd', 'zookeeper']) {
  describe(kind, () => {
    let server // of all tests, or one for these
    let own

    before(async () => {
      server = process.env[`SNOWMINT_TEST_${kind.toUpperCase()}`]
      if (server !== undefined) return
      own = spawn(path.join(root, 'scripts/servers'), ['run', kind], { stdio: ['pipe', 'pipe', 'inherit'] })
      for await (const line of createInterface(own.stdout)) {
        server = line
        break
      }
      assert.ok(server, 'no server')
    })

    after(async () => {
      if (own === undefined) return
      own.stdin.end()
      await once(own, 'exit')
    })

    /** The URL of what nobody else uses. */
    const place = () => {
      if (kind !== 'redis') return `${server}/test-${randomUUID()}`
      const url = `${server}/${randomInt(10_000)}`
      execFileSync('redis-cli', ['-e', '-u', url, 'FLUSHDB'])
      return url
    }

    test('numbers of a tag, and two worker IDs', async () => {
      const url = place()
      const store = await Store.open(`${url}?create=true`)
      await store.createTag('orders', { step: 10 })
      const orders = await open(`segment+${url}?tag=orders&step=10`)
      const first = Array.from({ length: 12 }, (_, at) => BigInt(at + 1))
      assert.deepEqual([...await orders.nextIdsAsync(12)], first)
      const flakes = [await open(`snowflake+${url}?layout=twitter`), await open(`snowflake+${url}?layout=twitter`)]
      const ids = (await Promise.all(flakes.map(flake => flake.nextIdsAsync(1_000)))).flatMap(some => [...some])
      assert.equal(new Set(ids).size, 2_000)
      assert.equal((await store.workers()).length, 2)
      for (const source of [orders, ...flakes, store]) source.close()
    })

    test('what is wrong has its code, and shows no password', async () => {
      const url = place()
      const ann = url.replace('://', '://ann:S3CRET@')
      for (const [wrong, code] of [
        [url, 'store_missing'],
        [ann.replace(/:\d+\//, ':1/'), 'store_unavailable'],
        [`${ann}?passwort=x`, 'unknown_parameter'],
      ]) {
        const error = await open(`snowflake+${wrong}`).then(() => assert.fail(code), error => error)
        assert.equal(error.code, code, inspect(error))
        assert.ok(!inspect(error).includes('S3CRET'), inspect(error))
      }
    })
  })
}
