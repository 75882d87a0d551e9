// Opens a source in a worker thread or a cluster's process and mints blocks.

import cluster from 'node:cluster'
import { parentPort, workerData } from 'node:worker_threads'
import { open } from 'snowmint'

const { url, blocks, size } = workerData ?? JSON.parse(process.env.SNOWMINT_JOB)
const send = message => (parentPort ? parentPort.postMessage(message) : process.send(message))

const source = await open(url)
for (let n = 0; n < blocks; n++) {
  const ids = await source.fillAsync(new BigUint64Array(size), 60_000)
  if (parentPort) parentPort.postMessage(ids, [ids.buffer])
  else await new Promise(resolve => process.send(ids, resolve))
}
source.close()
send('done')
if (cluster.isWorker) cluster.worker.disconnect()
