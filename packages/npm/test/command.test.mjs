// `npx snowmint`, as it is installed.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { Store, version } from 'snowmint'

import { directory } from './reading.mjs'

function run(dir, ...words) {
  const env = { ...process.env, XDG_STATE_HOME: dir, HOME: dir }
  const { status, stdout, stderr } = spawnSync('npx', ['--no-install', 'snowmint', ...words], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

test('npx snowmint mints from the user\'s own file', t => {
  const dir = directory(t)
  const ids = [[], ['id', '-n', '3'], ['id', '-n', '2', '--format', 'base32']].flatMap(words => {
    const { status, stdout, stderr } = run(dir, ...words)
    assert.equal(status, 0, stderr)
    return stdout.trimEnd().split('\n')
  })
  assert.equal(ids.length, 6)
  assert.ok(ids.slice(0, 4).every(id => /^\d{18,19}$/.test(id)), ids)
  assert.ok(ids.slice(4).every(id => /^[0-9A-Z]{13}$/.test(id)), ids)
  assert.equal(new Set(ids).size, 6)
  assert.ok(existsSync(path.join(dir, 'snowmint/ids.db')))
})

test('npx snowmint id with a URL', t => {
  const { stdout } = run(directory(t), 'id', 'uuid:?version=7', '-n', '2')
  assert.match(stdout, /^([0-9a-f-]{36}\n){2}$/)
})

test('npx snowmint decode says what an ID may be, and what it is in a layout', t => {
  const dir = directory(t)
  const guessed = run(dir, 'decode', '175928847299117063').stdout
  assert.match(guessed, /^175928847299117063 may be, likeliest first:\n {2}discord .*\n {2}.*\(unlikely\)\n/)
  const named = run(dir, 'decode', '175928847299117063', '--beside', 'guild_id').stdout
  assert.match(named, /first:\n {2}discord +2016-04-30T11:18:25\.796Z {2}worker 1 {2}process 0 {2}sequence 7 {2}\(named\)/)
  const told = run(dir, 'decode', '--layout', 'discord', '175928847299117063').stdout
  assert.equal(told, '175928847299117063  2016-04-30T11:18:25.796Z  worker 1  process 0  sequence 7\n')
  assert.match(run(dir, 'layouts').stdout, /^cosid-js-ms .*epoch_ms=1577203200/m)
})

test('npx snowmint layouts shows the one that is named', t => {
  const dir = directory(t)
  assert.match(run(dir, 'layouts', 'twitter').stdout, /^twitter {2,}zero:1,time:41,datacenter:5,worker:5,sequence:12 .*\n$/)
  const own = 'time:41,worker:10,sequence:12@1700000000000/1'
  assert.match(run(dir, 'layouts', own).stdout, /^custom {2,}zero:1,time:41,worker:10,sequence:12\n$/)
})

test('npx snowmint takes a URL without a command', t => {
  const dir = directory(t)
  assert.match(run(dir, 'uuid:?version=7').stdout, /^[0-9a-f-]{36}\n$/)
  assert.match(run(dir, `snowflake:?worker_id=7&state=${dir}`, '-n', '2').stdout, /^(\d+\n){2}$/)
})

test('npx snowmint says what it is and how it is called', t => {
  const dir = directory(t)
  assert.equal(run(dir, '-V').stdout, `snowmint ${version}\n`)
  assert.equal(run(dir, 'help').stdout, run(dir, '--help').stdout)
})

test('npx snowmint decode goes on after what is wrong', t => {
  const { status, stdout, stderr } = run(directory(t), 'decode', '1', '175928847299117063', 'x!')
  assert.match(stdout, /^175928847299117063 may be/)
  assert.match(stderr, /^error\[unknown_layout\]: .*\nerror\[unknown_text_form\]: .*\n/)
  assert.equal(status, 2)
})

/** The command itself, and not npx, whose pipes are its own. */
function started(t, dir, ...words) {
  const command = createRequire(import.meta.url).resolve('snowmint/package.json').replace('package.json', 'lib/command.js')
  const child = spawn(process.execPath, [command, ...words], { env: { ...process.env, XDG_STATE_HOME: dir, HOME: dir } })
  t.after(() => child.kill())
  child.ended = Promise.all([once(child, 'close'), child.stderr.setEncoding('utf8').toArray()])
  return child
}

test('npx snowmint ends quietly when nobody reads on', async t => {
  for (const words of [['id', '-n', '1000000'], ['id', 'uuid:', '-n', '1000000']]) {
    const child = started(t, directory(t), ...words)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const [[status], said] = await child.ended
    assert.deepEqual([status, said.join('')], [0, ''])
  }
})

test('npx snowmint mints no faster than it is read', async t => {
  const dir = directory(t)
  const url = `sqlite:${dir}/ids.db`
  const store = await Store.open(`${url}?create=true`)
  t.after(() => store.close())
  await store.createTag('orders')
  const child = started(t, dir, 'id', `segment+${url}?tag=orders&step=1000`, '-n', '300000')
  const next = async () => (await store.tag('orders')).next
  // Until it is at rest.
  let seen = 1n
  for (let rest = 0; seen === 1n || rest < 30; rest++) {
    await new Promise(resolve => setTimeout(resolve, 20))
    const now = await next()
    if (now !== seen) rest = 0
    seen = now
  }
  assert.ok(seen < 300_000n, `it took ${seen}`)
  const numbers = (await child.stdout.setEncoding('utf8').toArray()).join('').trimEnd().split('\n')
  assert.deepEqual([numbers.length, numbers.at(-1)], [300_000, '300000'])
  const [[status], said] = await child.ended
  assert.deepEqual([status, said.join('')], [0, ''])
})

test('npx snowmint id writes what was left before the error', async t => {
  const dir = directory(t)
  const file = `sqlite:${dir}/made.db`
  const store = await Store.open(`${file}?create=true`)
  await store.createTag('orders', { max: 5 })
  await store.createTag('days')
  store.close()
  const few = run(dir, 'id', `segment+${file}?tag=orders`, '-n', '10')
  assert.equal(few.stdout, '1\n2\n3\n4\n5\n', few.stderr)
  assert.equal(few.status, 3)
  assert.match(few.stderr, /^error\[tag_exhausted\]: /)
  const day = run(dir, 'id', `daily+${file}?tag=days&digits=1&step=9`, '-n', '12')
  assert.match(day.stdout, /^\d{6,8}1\n(\d+\n){7}\d{6,8}9\n$/, day.stderr)
  assert.match(day.stderr, /^error\[tag_exhausted\]: /)
})

test('npx snowmint migrate makes the tables of a store', t => {
  const dir = directory(t)
  const url = `sqlite:${dir}/ids.db`
  const ran = (...options) => {
    const { status, stdout, stderr } = run(dir, 'migrate', url, ...options)
    assert.equal(status, 0, stderr)
    return stdout
  }
  assert.match(ran('--dry-run'), /^-- SQLite [^]*;\n\nCOMMIT;\n$/)
  assert.equal(JSON.parse(ran('--dry-run', '--json')).state, 'missing')
  assert.ok(!existsSync(path.join(dir, 'ids.db')))
  assert.match(ran(), /ids\.db: the tables are made; pin it by key_space=[0-9a-f]{32}\n$/)
  assert.match(ran(), /ids\.db: the tables are there, as they should be; pin it by key_space=[0-9a-f]{32}\n$/)
  const { place, key_space: keySpace, ...row } = JSON.parse(ran('--json'))
  assert.deepEqual(row, { state: 'there', statements: [] })
  assert.ok(ran().endsWith(`key_space=${keySpace}\n`))
  assert.match(place, /^SQLite .*ids\.db$/)
})

test('npx snowmint says what is wrong', async t => {
  const dir = directory(t)
  const made = `sqlite:${dir}/made.db`
  ;(await Store.open(`${made}?create=true`)).close()
  const cases = [
    [['nosuch'], 2, /no command nosuch/],
    [['id', '-n', 'x'], 2, /-n takes a number/],
    [['id', '--nosuch'], 2, /nosuch/],
    [['decode'], 2, /needs an ID/],
    [['migrate'], 2, /the URL of one store/],
    [['migrate', 'memory:'], 2, /^error\[unsupported\]: /],
    [['migrate', 'postgres://ann@127.0.0.1:1/ids'], 4, /^error\[store_unavailable\]: /],
    [['layouts', 'nope'], 2, /^error\[unknown_layout\]: .*nope/],
    [['layouts', 'twitter', 'discord'], 2, /one layout is enough/],
    [['decode', '12345'], 2, /^error\[unknown_layout\]: .* name its layout/],
    [['decode', 'hello!'], 2, /^error\[unknown_text_form\]: "hello!" .* name the form/],
    [['id', 'nosuch:'], 2, /^error\[unknown_scheme\]: .*nosuch/],
    [['id', 'uuid:', '--format', 'hex'], 2, /^error\[unsupported\]: a UUID has one text form: leave --format out\n$/],
    [['id', `sequences+${made}?tag=chat`], 2, /^error\[unsupported\]: each key has a sequence, .* nextAsync\(key\)\n$/],
    [['id', `segment+${made}?tag=orders`], 2, /^error\[unknown_tag\]: .*\nhint: .* Store\.open\(.*ensureTag\('orders'\); the binary has .*\n$/],
    [['id', 'snowflake:?worker_id=env:SNOWMINT_NO_WORKER_ID'], 3, /^error\[worker_not_configured\]/],
    [['id', `segment+sqlite:${dir}/none.db?tag=orders`], 4, /^error\[store_missing\]/],
    [['id', 'http://127.0.0.1:1/orders?wait_ms=500'], 4, /^error\[store_unavailable\]: /],
  ]
  for (const [words, status, message] of cases) {
    const found = run(dir, ...words)
    assert.deepEqual([found.status, found.stdout], [status, ''], found.stderr)
    assert.match(found.stderr, message)
    assert.doesNotMatch(found.stderr, / at .*:\d+:\d+/)
  }
  assert.equal(run(dir, '--version').stdout, `snowmint ${version}\n`)
  assert.match(run(dir, '--help').stdout, /^Usage: npx snowmint/)
})
