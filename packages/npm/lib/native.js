'use strict'
// Finds and loads the addon of this platform.

const { existsSync } = require('node:fs')
const path = require('node:path')
const { version } = require('../package.json')

/** `linux-x64-gnu`, `darwin-arm64`, … */
function platform() {
  const system = `${process.platform}-${process.arch}`
  if (process.platform === 'win32') return `${system}-msvc`
  return process.platform === 'linux' ? `${system}-${libc()}` : system
}

function libc() {
  // The report names glibc's version where there is one; its network part can be slow.
  const { report } = process
  const before = report.excludeNetwork
  report.excludeNetwork = true
  const { header } = report.getReport()
  report.excludeNetwork = before
  return header.glibcVersionRuntime === undefined ? 'musl' : 'gnu'
}

/** Where the addon may be, best first: a path that was asked for, the platform's package, a build. */
function places() {
  const name = platform()
  const asked = process.env.SNOWMINT_ADDON
  if (asked) return [path.resolve(asked)]
  return [`@snowmint/node-${name}`, path.join(__dirname, `snowmint.${name}.node`)]
}

function load() {
  const failures = []
  for (const place of places()) {
    try {
      const addon = require(place)
      const found = addon.version()
      if (found === version) return addon
      failures.push([place, new Error(`it is version ${found}, and the package ${version}`)])
    } catch (error) {
      failures.push([place, error])
    }
  }
  throw unloadable(failures)
}

function unloadable(failures) {
  const lines = failures.map(([place, error]) => `  ${place}: ${reason(place, error)}`)
  const message =
    `snowmint has no native addon for ${platform()} (Node ${process.version}). Tried:\n` +
    `${lines.join('\n')}\n` +
    'Install without --omit=optional, and on the platform that the program runs on.'
  const error = new Error(message, { cause: failures[0][1] })
  error.code = 'ERR_SNOWMINT_ADDON'
  return error
}

function reason(place, error) {
  if (path.isAbsolute(place) && !existsSync(place)) return 'no such file'
  return error.message.split('\n')[0]
}

const addon = load()
/** Runs at once what has to wait where the WebAssembly is loaded late. */
addon.ready = work => work()

module.exports = addon
