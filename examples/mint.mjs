// Mints an ID with a worker ID leased from ids.db, and decodes the one that is given.

import { Layout, open } from 'snowmint'

const flake = await open('snowflake+sqlite:ids.db?create=true')
console.log('minted', String(flake.nextId()))
flake.close()

const { time, workerId, sequence } = Layout.BWMARRIN.decode(process.argv[2])
console.log('decoded', time.toISOString(), workerId, sequence)
