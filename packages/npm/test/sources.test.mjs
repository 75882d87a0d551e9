// sources.json: what opened sources do, in every way of minting.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Daily, Layout, Ring, Segment, Sequences, Snowflake, Store, UuidSource, open } from 'snowmint'

import { directory, document, keys } from './reading.mjs'

const KINDS = {
  snowflake: Snowflake, segment: Segment, daily: Daily, sequences: Sequences, uuid: UuidSource, ring: Ring,
}

for (const scenario of document('sources.json').scenarios) {
  keys(scenario, 'name', 'about', 'steps')
  for (const way of ['now', 'later']) {
    test(`sources.json: ${scenario.name}, ${way}`, async t => {
      const world = { dir: directory(t), way, sources: new Map(), seen: new Set(), last: new Map() }
      try {
        for (const step of scenario.steps) await run(world, step)
      } finally {
        for (const source of world.sources.values()) source.close()
      }
    })
  }
}

async function run(world, { error, ...step }) {
  const operation = OPERATIONS[step.op] ?? assert.fail(`no operation ${step.op}`)
  const { known, go } = operation
  keys(step, 'op', ...known)
  if (error === undefined) await go(world, step)
  else await assert.rejects(async () => go(world, step), { code: error }, JSON.stringify(step))
}

/** At once if that is possible, as a program that can also wait does; or waiting. */
async function mint({ way }, now, later) {
  if (way === 'later') return later()
  try {
    return now()
  } catch (error) {
    if (!['wait_timeout', 'empty'].includes(error.code)) throw error
    return later()
  }
}

const OPERATIONS = {
  create_tag: {
    known: ['store', 'tag', 'start', 'step', 'stride', 'max'],
    async go({ dir }, { store, tag, ...options }) {
      const opened = await Store.open(store.replace('{dir}', dir))
      const given = ['start', 'step', 'stride', 'max'].filter(key => options[key] !== undefined)
      await opened.createTag(tag, Object.fromEntries(given.map(key => [key, BigInt(options[key])])))
    },
  },
  open: {
    known: ['as', 'url', 'kind'],
    async go({ dir, sources, last }, { as, url, kind }) {
      const source = await open(url.replace('{dir}', dir))
      assert.ok(source instanceof KINDS[kind])
      sources.set(as, source)
      last.delete(as)
    },
  },
  next_id: {
    known: ['of', 'id', 'layout', 'worker_id'],
    async go(world, step) {
      const source = world.sources.get(step.of)
      const id = await mint(world, () => source.nextId(), () => source.nextIdAsync())
      note(world, step.of, [id])
      if (step.id !== undefined) assert.equal(String(id), step.id)
      if (step.layout === undefined) return
      assert.equal(Layout.of(step.layout).decode(id).workerId, step.worker_id)
    },
  },
  next_ids: {
    known: ['of', 'count', 'ids'],
    async go(world, { of, count, ids: expected }) {
      const source = world.sources.get(of)
      const ids = await mint(world, () => source.nextIds(count), () => source.nextIdsAsync(count))
      assert.equal(ids.length, count)
      note(world, of, ids)
      if (expected) assert.deepEqual([...ids].map(String), expected)
    },
  },
  fill: {
    known: ['of', 'count'],
    async go(world, { of, count }) {
      const [source, array] = [world.sources.get(of), new BigUint64Array(count)]
      if (count > 0 || source.closed) {
        note(world, of, await mint(world, () => source.fill(array), () => source.fillAsync(array)))
      } else {
        source.fill(array)
        await source.fillAsync(array)
      }
    },
  },
  next_of: {
    known: ['of', 'key', 'number'],
    async go(world, { of, key, number }) {
      const [source, wide] = [world.sources.get(of), BigInt(key)]
      const next = await mint(world, () => source.next(wide), () => source.nextAsync(wide))
      assert.equal(String(next), number)
    },
  },
  next_uuid: {
    known: ['of', 'version'],
    go({ sources }, { of, version }) {
      const uuid = sources.get(of).nextUuid()
      assert.match(uuid, new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
    },
  },
  close: {
    known: ['of'],
    async go({ sources, way }, { of }) {
      const source = sources.get(of)
      if (way === 'later') await (source.closeAsync?.() ?? source.close())
      else source.close()
    },
  },
}

/** All IDs of a scenario differ, and those of one source rise. */
function note({ seen, last }, of, ids) {
  for (const id of ids) {
    assert.ok(!seen.has(id), `${id} twice`)
    seen.add(id)
    assert.ok(last.get(of) === undefined || id > last.get(of), `${id} after ${last.get(of)}`)
    last.set(of, id)
  }
}
