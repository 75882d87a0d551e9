'use strict'
// Writes the manifests of the packages that scripts/package-node stages in the given folder, for
// the given platform (linux-x64-gnu).

const { execFileSync } = require('node:child_process')
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')

const [stage, platform] = process.argv.slice(2)

function version() {
  const options = ['metadata', '--no-deps', '--format-version', '1']
  const { packages } = JSON.parse(execFileSync('cargo', options, { maxBuffer: 1 << 26 }))
  return packages.find(({ name }) => name === 'snowmint-node').version
}

const addon = `@snowmint/node-${platform}`
const number = version()
const main = path.join(stage, 'snowmint', 'package.json')
const { name, description, '//': _, ...rest } = JSON.parse(readFileSync(main, 'utf8'))
const manifest = {
  name, version: number, description, ...rest, optionalDependencies: { [addon]: number },
}
writeFileSync(main, `${JSON.stringify(manifest, null, 2)}\n`)

const { license, repository, engines } = rest
const [os, cpu, abi] = platform.split('-')
const libc = { gnu: ['glibc'], musl: ['musl'] }[abi]
const folder = path.join(stage, addon)
mkdirSync(folder, { recursive: true })
// npm installs a package only where these fields fit.
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({
  name: addon,
  version: number,
  description: `The native addon of snowmint for ${platform}`,
  license,
  repository,
  engines,
  main: 'snowmint.node',
  files: ['snowmint.node', 'LICENSE-*'],
  os: [os],
  cpu: [cpu],
  ...(libc === undefined ? {} : { libc }),
}, null, 2)}\n`)
