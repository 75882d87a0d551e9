// Mints from the source of a URL until it is killed: an ID a line. A call that fails ends it.

import { writeSync } from 'node:fs'
import { open } from 'snowmint'

const BLOCK = 64

const source = await open(process.argv[2])
for (;;) {
  const ids = []
  for (let at = 0; at < BLOCK; at++) ids.push(await source.nextIdAsync())
  ids.push(...(await source.nextIdsAsync(BLOCK)))
  writeSync(1, ids.join('\n') + '\n')
}
