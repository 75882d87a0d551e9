// The code that a designed layout is copied as: run where its language is at hand.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Layout } from 'snowmint'
import { LANGUAGES, snippetOf } from '../src/snippets.js'

const root = process.env.SNOWMINT_ROOT
const LAYOUT = {
  fields: 'zero:1,time:39,worker:12,sequence:12',
  epochMs: 1704067200000n,
  tickMs: 10,
  workerId: 7,
}
const layout = new Layout(LAYOUT.fields, { epochMs: LAYOUT.epochMs, tickMs: LAYOUT.tickMs })

function inFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'snowmint-explorer-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function run(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options })
  assert.equal(status, 0, stderr)
  return stdout
}

function assertMinted(text) {
  const { workerId, unixMs } = layout.decode(text.trim().split('\n').at(-1))
  assert.equal(workerId, 7)
  assert.ok(unixMs > Date.UTC(2024, 0))
}

test('every language has its code, with the whole layout in it', () => {
  for (const { name } of LANGUAGES) {
    const code = snippetOf(name, LAYOUT)
    assert.ok(code.includes(LAYOUT.fields), name)
    assert.match(code, /1_?704_?067_?200_?000/, name)
    assert.ok(code.split('\n').every(line => line.length <= 120) || name === 'shell', name)
  }
})

test('the JavaScript makes the layout', async () => {
  const [lines] = snippetOf('javascript', LAYOUT).split('const flake')
  const made = await import(
    `data:text/javascript,${encodeURIComponent(
      lines.replace("'snowmint'", JSON.stringify(import.meta.resolve('snowmint'))) +
        '\nexport default layout',
    )}`
  )
  assert.equal(made.default.text, LAYOUT.fields)
  assert.equal(made.default.tickMs, 10)
})

const binary = path.join(root, 'target/release/snowmint')
test(
  'the command line mints',
  { skip: !existsSync(binary) && 'target/release/snowmint is not built' },
  () => {
    inFolder(folder => {
      const env = {
        ...process.env,
        PATH: `${path.dirname(binary)}:${process.env.PATH}`,
        XDG_STATE_HOME: folder,
      }
      assertMinted(run('bash', ['-euc', snippetOf('shell', LAYOUT)], { env }))
    })
  },
)

const hasCompiler = spawnSync('cc', ['--version']).status === 0
test('the C agrees with the header', { skip: !hasCompiler && 'no C compiler' }, () => {
  inFolder(folder => {
    const file = path.join(folder, 'mint.c')
    writeFileSync(file, snippetOf('c', LAYOUT))
    run('cc', [
      '-std=c99',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-fsyntax-only',
      '-I',
      path.join(root, 'packages/c/include'),
      file,
    ])
  })
})

const sources = path.join(root, 'packages/java/snowmint/src/main/java')
const hasJava = spawnSync('javac', ['--version']).status === 0 && existsSync(sources)
test('the Java agrees with the classes', { skip: !hasJava && 'no Java compiler' }, () => {
  inFolder(folder => {
    const file = path.join(folder, 'Mint.java')
    writeFileSync(file, snippetOf('java', LAYOUT))
    run('javac', [
      '--release',
      '17',
      '-proc:none',
      '-implicit:none',
      '-sourcepath',
      sources,
      '-d',
      folder,
      file,
    ])
  })
})
