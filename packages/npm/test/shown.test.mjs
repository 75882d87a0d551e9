// The text that consoles show, and classes that extend the package's.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Daily, Layout, PublicIdKeys, Segment, Sequences, Snowflake, Store, UuidSource, open, openSync } from 'snowmint'

import { directory } from './reading.mjs'

const LINE = { breakLength: Infinity }
const allocate = () => [1n, 2n]

test('a console shows the kind of a source, and what tells it from others', async t => {
  const store = Store.openSync('memory:')
  const flake = new Snowflake({ workerId: 7, layout: 'discord', stateDirectory: directory(t) })
  const ring = openSync(`snowflake:?worker_id=8&state=${directory(t)}&ring=64`)
  const segment = new Segment({ tag: 'orders', allocate })
  const daily = await Daily.open({ tag: 'invoices', store })
  const sequences = await Sequences.open({ tag: 'chat', store })
  const shown = [
    [flake, `Snowflake { workerId: 7, layout: '${Layout.DISCORD}' }`],
    [ring, "Ring { of: 'snowflake', workerId: 8 }"],
    [segment, "Segment { tag: 'orders' }"],
    [daily, "Daily { tag: 'invoices' }"],
    [sequences, "Sequences { tag: 'chat' }"],
    [new UuidSource(4), 'UuidSource { version: 4 }'],
    [store, "Store { scheme: 'memory' }"],
    [PublicIdKeys.generate().publicIds('order'), "PublicIds { type: 'order', form: 'token' }"],
  ]
  for (const [value, text] of shown) {
    assert.equal(inspect(value, LINE), text)
    assert.match(inspect({ nested: { value } }, { ...LINE, depth: 0 }), /nested: /)
  }
  for (const closable of [flake, ring, segment, daily, sequences, store]) {
    closable.close()
    assert.match(inspect(closable, LINE), /, closed: true \}$/)
  }
  assert.equal(inspect(flake, LINE), `Snowflake { layout: '${Layout.DISCORD}', closed: true }`)
  assert.equal(inspect(new Proxy(flake, {})), 'Snowflake {}')
})

test('of a URL with a password the scheme alone is shown', async t => {
  const store = await Store.open(`sqlite:${directory(t)}/S3CRET.db?create=true`)
  assert.ok(!inspect(store, { showHidden: true, depth: 9 }).includes('S3CRET'))
  store.close()
})

test('opening a class that extends the package\'s makes one of it', async t => {
  class Orders extends Segment {
    first = this.tag
  }
  class Minter extends Snowflake {}
  class Invoices extends Daily {}
  const store = Store.openSync('memory:')
  const orders = await Orders.open({ tag: 'orders', allocate })
  const minter = await Minter.open({ store })
  const invoices = await Invoices.open({ tag: 'invoices', store })
  t.after(() => [orders, minter, invoices].forEach(source => source.close()))
  assert.ok(orders instanceof Orders && minter instanceof Minter && invoices instanceof Invoices)
  assert.deepEqual([orders.first, orders.nextId()], ['orders', 1n])
  assert.match(inspect(minter, LINE), /^Minter \{ workerId: /)
  // Handed on as a function.
  const plain = await [{ store }].map(Snowflake.open)[0]
  assert.ok(plain instanceof Snowflake && plain.nextId() > 0n)
  plain.close()
})

test('all that open opens can be closed in the same ways', async t => {
  const state = directory(t)
  const urls = [
    `snowflake:?worker_id=7&state=${state}`, `sequences+sqlite:${state}/ids.db?create=true&tag=chat`, 'uuid:?version=7',
    `daily+sqlite:${state}/ids.db?tag=a`,
  ]
  for (const url of urls) {
    const source = await open(url)
    await source.closeAsync()
    await source.closeAsync(10)
    source.close()
    await assert.rejects(source.closeAsync(-1), { name: 'RangeError', code: 'invalid_parameter' })
  }
})
