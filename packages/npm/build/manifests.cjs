'use strict'
// Writes the manifests of the packages that scripts/package-node stages in the given folder: of
// snowmint, and of the addon of each of the given platforms (linux-x64-gnu).

const { execFileSync } = require('node:child_process')
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')

const [stage, ...platforms] = process.argv.slice(2)

function readVersion() {
  const options = ['metadata', '--no-deps', '--format-version', '1']
  const { packages } = JSON.parse(execFileSync('cargo', options, { maxBuffer: 1 << 26 }))
  return packages.find(({ name }) => name === 'snowmint-node').version
}

function write(folder, manifest) {
  mkdirSync(path.join(stage, folder), { recursive: true })
  const file = path.join(stage, folder, 'package.json')
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

const version = readVersion()
const addon = (platform) => `@snowmint/node-${platform}`
const main = JSON.parse(readFileSync(path.join(stage, 'snowmint', 'package.json'), 'utf8'))
const { name, description, '//': _, ...rest } = main
const optionalDependencies = Object.fromEntries(platforms.map((each) => [addon(each), version]))
write('snowmint', { name, version, description, ...rest, optionalDependencies })

const { license, repository, engines } = rest
for (const platform of platforms) {
  const [os, cpu, abi] = platform.split('-')
  const libc = { gnu: ['glibc'], musl: ['musl'] }[abi]
  // npm installs a package only where os, cpu and libc fit.
  write(addon(platform), {
    name: addon(platform),
    version,
    description: `The native addon of snowmint for ${platform}`,
    license,
    repository,
    engines,
    main: 'snowmint.node',
    files: ['snowmint.node', 'LICENSE-*'],
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc }),
  })
}
