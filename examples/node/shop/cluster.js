import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'

cluster.setupPrimary({ exec: process.argv[2] })
for (let count = availableParallelism(); count > 0; count--) cluster.fork()
