// The work of pages and workers in the tests.

/** Mints for so long, one at a time and many, and sends all of it to the page's server. */
export async function mintFor({ Snowflake, IdService }, url, ms) {
  const flake = await Snowflake.open({ store: new IdService(url), reserveMs: 2000, waitMs: 300_000 })
  const end = performance.now() + ms
  let sent = 0
  while (performance.now() < end) {
    const ids = new BigUint64Array(4096)
    await flake.fillAsync(ids.subarray(0, 4000))
    for (let at = 4000; at < 4090; at++) ids[at] = await flake.nextIdAsync()
    ids.set(await flake.nextIdsAsync(6), 4090)
    for (let at = 1; at < ids.length; at++) if (ids[at] <= ids[at - 1]) throw new Error('not increasing')
    await fetch('/ids', { method: 'POST', body: ids })
    sent += ids.length
  }
  await flake.closeAsync()
  return sent
}

/** Asks a worker, and gives its answer. */
export function ask(worker, request) {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => data.error ? reject(new Error(data.error)) : resolve(data.answer)
    worker.postMessage(request, [port2])
  })
}

/** Answers a page's requests in a worker, once `loaded`: it opens a generator, and mints. */
export function serve(snowmint, loaded) {
  let flake
  addEventListener('message', async ({ data, ports: [port] }) => {
    try {
      const { url, count = 1, ms } = data
      await loaded
      if (ms) return port.postMessage({ answer: await mintFor(snowmint, url, ms) })
      flake ??= await snowmint.Snowflake.open({ store: new snowmint.IdService(url) })
      port.postMessage({ answer: Array.from(await flake.nextIdsAsync(count), String) })
    } catch (error) {
      port.postMessage({ error: `${error.code}: ${error.message}` })
    }
  })
}
