// The code that a designed layout is copied as: run where its language is at hand.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Layout } from 'snowmint'
import { LANGUAGES, snippetOf } from '../src/snippets.js'

const root = process.env.SNOWMINT_ROOT
const built = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target')
const LAYOUT = {
  fields: 'zero:1,time:39,worker:12,sequence:12',
  epochMs: 1704067200000n,
  tickMs: 10,
  workerId: 7,
}
/** The largest numbers that compilers have to take. */
const EXTREME = {
  fields: 'zero:1,time:31,worker:20,sequence:12',
  epochMs: -62135596800000n,
  tickMs: 4294967295,
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

/** An environment with a place of its own for marks. */
function withState(folder) {
  return { ...process.env, XDG_STATE_HOME: folder }
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

const addon = path.join(root, 'target/test-browser/node_modules')
const hasAddon = existsSync(path.join(addon, 'snowmint'))
test('the JavaScript mints', { skip: !hasAddon && 'the npm package is not built' }, () => {
  inFolder(folder => {
    symlinkSync(addon, path.join(folder, 'node_modules'))
    writeFileSync(path.join(folder, 'mint.mjs'), snippetOf('javascript', LAYOUT))
    assertMinted(run(process.execPath, ['mint.mjs'], { cwd: folder, env: withState(folder) }))
  })
})

const python = path.join(built, 'python-test/bin/python')
test('the Python mints', { skip: !existsSync(python) && 'the wheel is not installed' }, () => {
  inFolder(folder => {
    const code = snippetOf('python', LAYOUT)
    assertMinted(run(python, ['-c', code], { env: withState(folder) }))
  })
})

test('the Rust compiles', () => {
  inFolder(folder => {
    // Without SQLite, which a fixed worker ID has no use for, it takes seconds.
    const runtime = JSON.stringify(path.join(root, 'core/runtime'))
    writeFileSync(
      path.join(folder, 'Cargo.toml'),
      `[package]\nname = "mint"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n` +
        `[dependencies]\nsnowmint = { path = ${runtime}, default-features = false }\n`,
    )
    copyFileSync(path.join(root, 'Cargo.lock'), path.join(folder, 'Cargo.lock'))
    mkdirSync(path.join(folder, 'src'))
    const functions = [LAYOUT, EXTREME].map(
      (each, index) =>
        `pub fn mint${index}() -> Result<(), Box<dyn std::error::Error>> {\n` +
        `${snippetOf('rust', each)}Ok(())\n}\n`,
    )
    writeFileSync(path.join(folder, 'src/lib.rs'), functions.join(''))
    const env = { ...process.env, CARGO_TARGET_DIR: path.join(built, 'explorer-snippets') }
    // From the project's folder, for the project's compiler.
    const manifest = path.join(folder, 'Cargo.toml')
    run('cargo', ['check', '--quiet', '--manifest-path', manifest], { cwd: root, env })
  })
})

const binary = process.env.SNOWMINT || path.join(built, 'debug/snowmint')
test(
  'the command line mints',
  { skip: !existsSync(binary) && 'the command is not built: cargo build' },
  () => {
    inFolder(folder => {
      const env = {
        ...withState(folder),
        PATH: `${path.dirname(binary)}:${process.env.PATH}`,
      }
      assertMinted(run('bash', ['-euc', snippetOf('shell', LAYOUT)], { env }))
    })
  },
)

const hasCompiler = spawnSync('cc', ['--version']).status === 0
test('the C agrees with the header', { skip: !hasCompiler && 'no C compiler' }, () => {
  inFolder(folder => {
    const include = path.join(root, 'packages/c/include')
    for (const each of [LAYOUT, EXTREME]) {
      const file = path.join(folder, 'mint.c')
      writeFileSync(file, snippetOf('c', each))
      const strict = ['-std=c99', '-Wall', '-Wextra', '-Werror']
      run('cc', [...strict, '-fsyntax-only', '-I', include, file])
    }
  })
})

const jars = path.join(built, 'packages/java')
const jar = existsSync(jars) && readdirSync(jars).find(name => /^snowmint-[\d.]+\.jar$/.test(name))
test('the Java agrees with the jar', { skip: !jar && 'the jar is not built' }, () => {
  inFolder(folder => {
    for (const each of [LAYOUT, EXTREME]) {
      const file = path.join(folder, 'Mint.java')
      writeFileSync(file, snippetOf('java', each))
      const only = ['--release', '17', '-proc:none']
      run('javac', [...only, '-cp', path.join(jars, jar), '-d', folder, file])
    }
  })
})
