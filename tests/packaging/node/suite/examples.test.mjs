// The examples of the documentation's pages run: programs by themselves, and applications by the lines
// for a shell that their pages show.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { postgres } from '../test/databases.mjs'
import { root } from '../test/reading.mjs'

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)
const modules = path.resolve(here, '../node_modules')
const examples = path.join(root, 'examples/node')
const entries = readdirSync(examples, { withFileTypes: true })
const INSTALL = /^npm install (.*)$/gm
const SERVE = /^sh deploy\.sh .*$/gm

// npx would put the oldest Node, which is among the packages of the tests, before this one.
const NPX = `#!/bin/sh\nprogram=$1\nshift\nexec "${modules}/.bin/$program" "$@"\n`

const database = postgres()

/** A directory in this project, so that its modules are found. */
function directory(t, name) {
  const dir = path.join(here, `example-${name}`)
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 20 })
  remove() // a run that was killed may have left it behind
  t.after(remove)
  mkdirSync(dir)
  return dir
}

const environment = dir => ({
  ...process.env,
  XDG_STATE_HOME: dir,
  NO_COLOR: '1',
  NODE_TEST_CONTEXT: undefined,
  PRISMA_SCHEMA_ENGINE_BINARY: path.join(here, 'schema-engine.mjs'),
})

function run(dir, command, ...words) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: dir, encoding: 'utf8', env: environment(dir) })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

for (const { name } of entries.filter(entry => entry.isFile())) {
  test(`${name} runs twice`, t => {
    const dir = directory(t, name)
    const text = readFileSync(path.join(examples, name), 'utf8')
    writeFileSync(path.join(dir, name), text.replaceAll(/\/var\/lib\/shop|\/tmp(?=\/)/g, dir))
    for (let count = 0; count < 2; count++) {
      const stdout = run(dir, process.execPath, name)
      for (const [, shown] of text.matchAll(/console\.log\(.*\) *\/\/ (.+)/g)) {
        assert.ok(stdout.includes(shown.replace('…', '')), `${shown} in ${stdout}`)
      }
    }
  })
}

for (const { name } of entries.filter(({ name }) => existsSync(path.join(examples, name, 'commands.sh')))) {
  test(`${name} is built, tested and served`, async t => {
    const dir = directory(t, name)
    cpSync(path.join(examples, name), dir, { recursive: true })
    const lines = commands(t, dir)
    const packages = [...lines.matchAll(INSTALL)].flatMap(([, words]) => words.split(' ').filter(word => !word.startsWith('-')))
    const missing = packages.filter(each => !existsSync(path.join(modules, each)))
    assert.deepEqual(missing, [], 'these are not among the packages of the tests')
    const script = lines.replace(INSTALL, '').replace(SERVE, '')
    writeFileSync(path.join(dir, 'npx'), NPX, { mode: 0o755 })
    const stdout = run(dir, 'bash', '-euc', `PATH="$PWD:$PATH"\n${script}\nenv -0 >environment`)
    assert.match(stdout, /Tests +\d+ passed/)
    const exported = readFileSync(path.join(dir, 'environment'), 'utf8').split('\0').filter(Boolean)
    const env = Object.fromEntries(exported.map(each => each.match(/^([^=]*)=([^]*)$/).slice(1)))
    assert.match(run(dir, './npx', 'snowmint', 'migrate', env.IDS_STORE), /the tables are there, as they should be/)
    keepsKeys(dir, lines)
    for (const [server] of lines.matchAll(SERVE)) await answers(server, dir, env)
  })
}

/** The lines of its commands, after the scripts of the directory have got databases of the test. */
function commands(t, dir) {
  const places = {}
  for (const name of readdirSync(dir).filter(name => name.endsWith('.sh'))) {
    const file = path.join(dir, name)
    const text = readFileSync(file, 'utf8')
      .replaceAll(/postgres:\/\/shop@localhost\/\w+/g, place => `'${places[place] ??= database(t)}'`)
      .replaceAll('?$pin', '&$pin') // the URLs of tests have parameters
    writeFileSync(file, text)
  }
  return readFileSync(path.join(dir, 'commands.sh'), 'utf8')
}

/** The lines that make keys give them a mode of their own, and change nothing when they run again. */
function keepsKeys(dir, lines) {
  const made = lines.match(/^\(umask[^]*?settings\.sh$/m)
  if (made === null) return
  const read = () => ['keys.toml', 'settings.sh'].map(name => readFileSync(path.join(dir, name), 'utf8'))
  const before = read()
  assert.equal(statSync(path.join(dir, 'keys.toml')).mode & 0o777, 0o600)
  assert.notEqual(spawnSync('sh', ['-c', made[0]], { cwd: dir }).status, 0)
  assert.deepEqual(read(), before)
}

/** Starts a server on a free port until it has answered, and ends it by SIGTERM. */
async function answers(server, dir, env) {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const PORT = String(free.address().port)
  free.close()
  const child = spawn('bash', ['-c', `exec ${server}`], { cwd: dir, env: { ...env, PORT }, stdio: 'inherit' })
  const exit = once(child, 'exit')
  try {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${PORT}/orders`).catch(() => undefined)
      if (response !== undefined) {
        assert.equal(response.status, 200, server)
        break
      }
      assert.equal(child.exitCode, null, server)
      await sleep(50)
    }
  } finally {
    child.kill()
    await exit
  }
  assert.equal(child.exitCode, 0, `${server} closes what it opened`)
}
