// The known state of the server, from the events that it sends.

/** The time in milliseconds over which a rate is measured. */
const SPAN_MS = 4000

/** Returns the state after an event: `state` replaces it, `changes` has the parts that differ. */
export function after(known, event, data) {
  if (event === 'state') {
    // A new process has given no IDs yet.
    const before = known?.instance === data.instance ? known.sources : null
    const sources = rowsOf(data.sources, data.at_ms, before)
    return { ...data, sources, tokens: data.tokens && rowsOf(data.tokens, data.at_ms) }
  }
  const { sources = [], tokens = [], ...rest } = data
  for (const row of sources) put(known.sources, row, data.at_ms)
  for (const row of tokens) put(known.tokens, row, data.at_ms)
  return { ...known, ...rest }
}

/** Returns the IDs per second that a source gave lately, from its earlier counts. */
export function givenPerS({ seen, now }, atMs) {
  const past = seen.find(({ ms }) => atMs - ms <= SPAN_MS) ?? seen.at(-1)
  const span = atMs - past.ms
  return span > 0 ? ((Number(now.issued) - past.issued) * 1000) / span : 0
}

function rowsOf(rows, atMs, before) {
  return new Map(
    rows.map(row => {
      const seen = before?.get(row.name)?.seen ?? [{ ms: atMs, issued: Number(row.now.issued) }]
      return [row.name, { ...row, seen }]
    }),
  )
}

function put(rows, { name, now }, atMs) {
  const row = rows.get(name)
  if (!row) return
  row.now = now
  if (now.issued === undefined) return
  row.seen.push({ ms: atMs, issued: Number(now.issued) })
  while (row.seen.length > 2 && atMs - row.seen[1].ms > SPAN_MS) row.seen.shift()
}
