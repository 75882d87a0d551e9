// Serves a folder on loopback, as any server of static files would.

import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Serves `folder` under `prefix`: `{ url, asked, pause, resume, stop }`, `asked`
 * being the paths of all requests.
 */
export async function serve(folder, prefix = '/') {
  const asked = []
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    asked.push(pathname)
    const name = pathname.startsWith(prefix) ? pathname.slice(prefix.length) || 'index.html' : ''
    try {
      if (!/^[\w.-]+$/.test(name)) throw new Error('no such file')
      const body = await readFile(path.join(folder, name))
      response.writeHead(200, {
        'content-type': TYPES[path.extname(name)],
        'cache-control': 'no-cache',
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  const listen = port => new Promise(resolve => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address()
  const stop = () =>
    new Promise(resolve => {
      server.close(resolve)
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    asked,
    stop,
    pause: stop,
    resume: () => listen(port),
  }
}

if (process.argv[1] === import.meta.filename && process.argv[2]) {
  const { url } = await serve(path.resolve(process.argv[2]))
  console.log(`${url} (Ctrl-C ends it)`)
}
