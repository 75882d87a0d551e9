// snowmint beside the libraries that people use it with.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { Snowflake, parse, stringify } from 'snowmint'

import { directory } from '../test/reading.mjs'

test('Fastify: a route that returns IDs as strings', async t => {
  const flake = new Snowflake({ workerId: 2, stateDirectory: directory(t) })
  const app = Fastify()
  t.after(async () => {
    await app.close()
    flake.close()
  })
  app.setReplySerializer(stringify)
  app.post('/orders', async () => ({ id: flake.nextId() }))
  app.get('/ids', async () => ({ ids: flake.nextIds(2) }))
  app.get('/orders/:id', async ({ params }) => ({ time: flake.layout.decode(params.id).time }))

  const answer = await app.inject({ method: 'POST', url: '/orders' })
  // The status is no indentation.
  assert.match(answer.body, /^\{"id":"\d+"\}$/)
  const { id } = answer.json()
  assert.equal(typeof id, 'string')
  assert.equal(flake.layout.decode(parse(id, 'dec')).workerId, 2)
  const { ids } = (await app.inject('/ids')).json()
  assert.deepEqual(ids.map(each => flake.layout.decode(each).workerId), [2, 2])
  const { time } = (await app.inject(`/orders/${id}`)).json()
  assert.equal(new Date(time).getTime(), flake.layout.decode(id).time.getTime())
})
