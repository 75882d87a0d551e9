'use strict'
// Writes the manifests of the packages that scripts/package-node stages in the given folder.

const { execFileSync } = require('node:child_process')
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')

const stage = process.argv[2]
const { platform, arch } = process

function version() {
  const options = ['metadata', '--no-deps', '--format-version', '1']
  const { packages } = JSON.parse(execFileSync('cargo', options, { maxBuffer: 1 << 26 }))
  return packages.find(({ name }) => name === 'snowmint-node').version
}

/** Returns the fields that npm compares with the machine it installs on. */
function place() {
  if (platform !== 'linux') return { suffix: platform === 'win32' ? '-msvc' : '', libc: undefined }
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined
  return isGlibc ? { suffix: '-gnu', libc: ['glibc'] } : { suffix: '-musl', libc: ['musl'] }
}

const { suffix, libc } = place()
const main = path.join(stage, 'snowmint', 'package.json')
const { name, description, '//': _, ...rest } = JSON.parse(readFileSync(main, 'utf8'))
const addon = `@snowmint/node-${platform}-${arch}${suffix}`
const number = version()

const manifest = {
  name, version: number, description, ...rest, optionalDependencies: { [addon]: number },
}
writeFileSync(main, `${JSON.stringify(manifest, null, 2)}\n`)

const { license, repository, engines } = rest
const folder = path.join(stage, addon)
mkdirSync(folder, { recursive: true })
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({
  name: addon,
  version: number,
  description: `The native addon of snowmint for ${platform}-${arch}${suffix}`,
  license,
  repository,
  engines,
  main: 'snowmint.node',
  files: ['snowmint.node', 'LICENSE-*'],
  os: [platform],
  cpu: [arch],
  ...(libc === undefined ? {} : { libc }),
}, null, 2)}\n`)
