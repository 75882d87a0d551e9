'use strict'
// The platforms that there are addons for, by name.

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

module.exports = { platform }
