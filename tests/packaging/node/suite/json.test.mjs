// IDs in the JSON of web frameworks: strings, which JavaScript does not round.

import 'reflect-metadata'

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import common from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { plainToInstance } from 'class-transformer'
import express from 'express'
import Fastify from 'fastify'
import { parse, replacer } from 'snowmint'
import ts from 'typescript'

import { root } from '../test/reading.mjs'

const { Body, ClassSerializerInterceptor, Controller, Get, Module, Param, Post } = common
const ID = 1541815603606036481n

/** Answers of a server that listens on a port of its own. */
function asking(t, server) {
  t.after(() => server.close())
  const { port } = server.address()
  return async (path, body) => {
    const headers = { 'content-type': 'application/json' }
    const options = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, options)
    return [answer.status, await answer.text()]
  }
}

test('Express writes IDs by the replacer', async t => {
  const app = express()
  app.set('json replacer', replacer)
  app.get('/orders/:id', (request, response) => response.json({ id: parse(request.params.id, 'dec'), parts: [ID] }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  assert.deepEqual(await asking(t, server)('/orders/7'), [200, `{"id":"7","parts":["${ID}"]}`])
})

test('Fastify writes IDs by a schema that says string', async t => {
  const app = Fastify()
  t.after(() => app.close())
  const order = { type: 'object', properties: { id: { type: 'string' }, parts: { type: 'array', items: { type: 'string' } } } }
  app.get('/orders', { schema: { response: { 200: order } } }, async () => ({ id: ID, parts: [ID], secret: 1 }))
  assert.equal((await app.inject('/orders')).body, `{"id":"${ID}","parts":["${ID}"]}`)
})

/** Imports the pipe and the decorator of the page about NestJS. */
async function fromPage() {
  const shop = path.join(root, 'examples/node/shop')
  const text = readFileSync(path.join(shop, 'nest.ts'), 'utf8')
  const [, lines] = text.match(/start:ids\]\n([^]*?)\/\/ --8<-- \[end:ids\]/)
  const { outputText } = ts.transpileModule(
    `${lines}
    export class Order { @Id() id: bigint }`,
    { compilerOptions: { experimentalDecorators: true, module: 'ESNext', target: 'ES2022' } },
  )
  const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)
  const dir = path.join(here, 'from-page')
  mkdirSync(dir, { recursive: true })
  for (const name of ['requests.js', 'errors.js']) copyFileSync(path.join(shop, name), path.join(dir, name))
  writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(dir, 'decorator.js'), outputText)
  try {
    return await import(path.join(dir, 'decorator.js'))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const { Order, ParseId } = await fromPage()
const read = text => new ParseId().transform(text)

class Orders {
  plain(id) {
    return { id: read(id) }
  }

  added(body) {
    const order = plainToInstance(Order, body)
    assert.equal(typeof order.id, 'bigint')
    return order
  }
}
const at = (name, ...decorators) => {
  const property = Object.getOwnPropertyDescriptor(Orders.prototype, name)
  for (const decorate of decorators) decorate(Orders.prototype, name, property)
}
Controller('orders')(Orders)
at('plain', Get(':id'))
Param('id')(Orders.prototype, 'plain', 0)
at('added', Post())
Body()(Orders.prototype, 'added', 0)
class Shop {}
Module({ controllers: [Orders] })(Shop)

async function nest(t) {
  const app = await NestFactory.create(Shop, { logger: false })
  t.after(() => app.close())
  return app
}

test('NestJS writes IDs by the replacer of Express', async t => {
  const app = await nest(t)
  app.set('json replacer', replacer)
  await app.listen(0, '127.0.0.1')
  const ask = asking(t, app.getHttpServer())
  assert.deepEqual(await ask(`/orders/${ID}`), [200, `{"id":"${ID}"}`])
  assert.equal((await ask('/orders/tea'))[0], 400)
})

test('class-transformer reads and writes IDs by a decorator', async t => {
  const app = await nest(t)
  app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get('Reflector')))
  await app.listen(0, '127.0.0.1')
  const ask = asking(t, app.getHttpServer())
  assert.deepEqual(await ask('/orders', { id: String(ID) }), [201, `{"id":"${ID}"}`])
  // A number was rounded before it came.
  for (const id of [Number(ID), 'tea', null]) assert.equal((await ask('/orders', { id }))[0], 400)
})
