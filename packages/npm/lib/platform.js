'use strict'
// The names of the platforms that have addons.

/** Returns the platform's name: `linux-x64-gnu`, `darwin-arm64`, … */
function platform() {
  const system = `${process.platform}-${process.arch}`
  if (process.platform === 'win32') return `${system}-msvc`
  return process.platform === 'linux' ? `${system}-${libc()}` : system
}

function libc() {
  // The report names glibc's version if there is one. Its network part can be slow.
  const { report } = process
  const before = report.excludeNetwork
  report.excludeNetwork = true
  const { header } = report.getReport()
  report.excludeNetwork = before
  return header.glibcVersionRuntime === undefined ? 'musl' : 'gnu'
}

module.exports = { platform }
