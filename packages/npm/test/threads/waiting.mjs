// Waits for numbers of stores that never answer, and is ended meanwhile in the way given.

import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { Segment } from 'snowmint'

const MINUTE = 60_000
const way = isMainThread ? process.argv[2] : workerData

/** As many as no pool has threads. */
function wait() {
  const answers = []
  const asked = []
  for (let n = 0; n < 8; n++) {
    asked.push(new Promise(resolve => {
      const allocate = () => new Promise(answer => answers.push(answer) && resolve())
      const segment = new Segment({ tag: 'silent', allocate, waitMs: MINUTE })
      segment.nextIdAsync().catch(error => console.log(error.code))
    }))
  }
  globalThis.answers = answers
  return Promise.all(asked)
}

const ends = {
  exit: () => process.exit(3),
  throw() {
    throw new Error('on purpose')
  },
  // Ended by the main thread.
  terminate: () => parentPort.postMessage('waiting'),
}

if (isMainThread && way !== 'exit' && way !== 'throw') {
  const inside = way.replace('thread-', '')
  const worker = new Worker(new URL(import.meta.url), { workerData: inside })
  worker.on('error', error => console.log(error.message))
  worker.on('message', () => worker.terminate())
  worker.on('exit', code => console.log(`ended with ${code}`))
} else {
  await wait()
  ends[way]()
}
