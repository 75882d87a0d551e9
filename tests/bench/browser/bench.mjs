// Prints a table for Node on WebAssembly and one for Chromium.

import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { parseArgs } from 'node:util'
import esbuild from 'esbuild'
import { Snowflake as NodejsSnowflake } from 'nodejs-snowflake'
import { chromium } from 'playwright-core'

import { FLOOR, loop, measured, subjects } from './subjects.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, help: { type: 'boolean' } } })
if (values.help) {
  console.log('usage: tests/bench/browser/run [--rounds N]')
  process.exit()
}
const rounds = Number(values.rounds)
const require = createRequire(import.meta.url)
const dist = path.join(path.dirname(require.resolve('snowmint/package.json')), 'dist')

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

function table(title, figures) {
  console.log(`\n${title}: median of ${rounds} rounds, ns an ID; ratios are medians of each round's`)
  const floor = figures[FLOOR]
  for (const [name, list] of Object.entries(figures)) {
    const ratio = median(list.map((ns, round) => ns / floor[round]))
    console.log(`${name.padEnd(44)} ${median(list).toFixed(1).padStart(8)} ${ratio.toFixed(2).padStart(8)} x`)
  }
}

const STARTS = 15
const PAGE = `<!doctype html><script type="module">
  const start = performance.now()
  const { Snowflake, init } = await import('/dist/snowmint.mjs')
  await init()
  new Snowflake({ workerId: 'random' }).nextId()
  globalThis.first = performance.now() - start
</script>`

async function inChromium() {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `import * as snowmint from '/dist/snowmint.mjs'
        import { measured, subjects } from './subjects.mjs'
        import floor from './floor/snowmint_bg.wasm'
        globalThis.bench = async rounds => { await snowmint.init(); return measured(subjects(snowmint, floor), rounds) }`,
      resolveDir: import.meta.dirname ?? '.',
    },
    bundle: true, format: 'esm', write: false, external: ['/dist/*'], define: { global: 'globalThis' },
    inject: ['./page.mjs'], alias: { buffer: './page.mjs' }, loader: { '.wasm': 'binary' },
  })
  const places = { '/': PAGE, '/bench': '<!doctype html><script type="module" src="/bench.js"></script>', '/bench.js': outputFiles[0].text }
  const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }
  const server = createServer(async ({ url }, response) => {
    response.setHeader('content-type', types[path.extname(url)] ?? 'text/html')
    response.end(url.startsWith('/dist/') ? await readFile(path.join(dist, path.basename(url))) : places[url] ?? '')
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const home = `http://127.0.0.1:${server.address().port}`
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] })
  try {
    const firsts = []
    for (let at = 0; at < STARTS; at++) {
      const page = await browser.newPage()
      await page.goto(home)
      firsts.push(await page.waitForFunction(() => globalThis.first).then(handle => handle.jsonValue()))
      await page.close()
    }
    const page = await browser.newPage()
    await page.goto(`${home}/bench`)
    await page.waitForFunction(() => 'bench' in globalThis)
    return { figures: await page.evaluate(n => globalThis.bench(n), rounds), firsts }
  } finally {
    await browser.close()
    server.close()
  }
}

const inNode = require(path.join(dist, 'snowmint.node.cjs'))
// It reads a file of its own: it is for Node alone.
const nodejs = new NodejsSnowflake({ instance_id: 1 })
const peer = { name: 'nodejs-snowflake', run: loop(() => nodejs.getUniqueID()), count: 20_000 }
const floor = await readFile(path.join(import.meta.dirname ?? '.', 'floor/snowmint_bg.wasm'))
table(`Node ${process.version} on WebAssembly`, measured([...subjects(inNode, floor), peer], rounds))
const { figures, firsts } = await inChromium()
table('Chromium', figures)
console.log(`\nFrom import to the first ID in Chromium, from a server on this machine: ${median(firsts).toFixed(1)} ms`)
