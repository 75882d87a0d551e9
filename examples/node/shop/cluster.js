import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'

if (cluster.isPrimary) {
  for (let count = availableParallelism(); count > 0; count--) cluster.fork()
} else {
  await import('./server.js') // each process leases a worker ID of its own
}
