// IDs for trying the page.

import { Layout, format } from 'snowmint'

/** Returns single IDs. The page shows the first one initially. */
export function examples() {
  return [
    { title: 'Twitter', id: '1541815603606036480' },
    { title: 'Discord', id: '175928847299117063' },
    { title: 'Mastodon', id: '109252111498807689' },
    { title: 'base58', id: format(1541815603606036480n, 'base58') },
    { title: 'hex', id: `0x${format(175928847299117063n, 'hex')}` },
  ]
}

const COUNT = 1999
const SPAN_MS = 6 * 3_600_000

/**
 * Returns a column as a database might show it: five workers, one of them busy, with even IDs only.
 */
export function exampleColumn(nowMs) {
  const random = randomFrom(7)
  const start = nowMs - 30 * 86_400_000
  const moments = Array.from({ length: COUNT }, () => start + SPAN_MS * dayCurve(random())).sort(
    (a, b) => a - b,
  )
  const rows = moments.map((ms, index) => {
    const busy = random() < 0.4
    const worker = busy ? 3 : [1, 2, 5, 8][Math.floor(random() * 4)]
    const workerId = Layout.TWITTER.workerId({ datacenter: 11, worker })
    const sequence = busy ? 2 * Math.floor(random() * 8) : index % 16
    return Layout.TWITTER.encode({ unixMs: Math.floor(ms), workerId, sequence })
  })
  rows.splice(1200, 0, rows[1180])
  rows.splice(700, 0, rows.splice(760, 1)[0])
  return rows.join('\n')
}

/** Maps an even distribution to one that is denser in the middle of the span. */
function dayCurve(x) {
  return x + Math.sin(2 * Math.PI * x) / 12
}

/**
 * Returns a generator of the same numbers each time, so that a link shows the same to its reader.
 */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
