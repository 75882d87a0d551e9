// What users write, for the type checker: ESM.
import snowmint, {
  Daily, Layout, PublicIdKeys, Ring, Segment, Sequences, Snowflake, SnowmintError, Store, UuidSource,
  detect, engine, errorCodes, format, guess, open, openSync, parse, stringify, textForms,
  type ErrorCode, type Parts, type PublicIdForm, type PublicIds, type RangeLike, type Source,
  type WorkerStore,
} from 'snowmint'

export async function mint(): Promise<string[]> {
  using flake = await open('snowflake:?worker_id=7')
  const id: bigint = flake.nextId()
  const parts: Parts = flake.layout.decode(id)
  const ids: BigUint64Array = flake.nextIds(10)
  const filled: BigUint64Array = await flake.fillAsync(new BigUint64Array(8), 100)
  for (const next of flake) if (next > id) break
  for await (const next of flake) if (next > id) break
  return [String(parts.time.getTime()), String(ids[0]), String(filled.length), flake.nextIdString('base32')]
}

export async function others(url: string): Promise<void> {
  const any: Source = await open(url)
  if (any instanceof UuidSource) console.log(any.nextUuid())
  const ids = await open(url)
  if (!('nextId' in ids)) throw new TypeError('it should be a source of 64-bit IDs')
  const [id, next]: bigint[] = [ids.nextId(), await ids.nextIdAsync()]
  const invoices: Segment = await open(`segment+${url}?tag=invoices`)
  const store = await Store.open('sqlite:ids.db?create=true')
  await store.createTag('orders', { start: 1n, step: 100 })
  await using orders = await Segment.open({ tag: 'orders', store, prefetch: 50 })
  await orders.ready()
  const own = new Segment({ tag: 'own', allocate: async (_tag, count): Promise<RangeLike> => [1n, BigInt(count)] })
  const daily = await Daily.open({ tag: 'invoices', store, zone: 'Asia/Shanghai', digits: 4 })
  const chat = await Sequences.open({ tag: 'chat', store, keysPerSection: 1000n })
  await any.closeAsync(100)
  console.log(id, next, invoices.tag)
  console.log(await own.nextIdAsync(), await daily.nextIdAsync(10), await chat.nextAsync(42))
  const uuids = openSync('uuid:?version=7')
  const ring: Ring = await open('snowflake:?worker_id=7&ring=1024')
  console.log(uuids.nextUuid(), (await store.workers())[0]?.workerId, ring.layout?.maxWorkerId)
}

export function published(form: PublicIdForm): string[] {
  const keys: PublicIdKeys = PublicIdKeys.open('env:ORDER_KEYS')
  const orders: PublicIds = keys.publicIds('order', form)
  const id: bigint = orders.decode(orders.encode('7'))
  const ids: BigUint64Array = orders.decodeMany(new Set(orders.encodeMany([id, '8'])))
  // @ts-expect-error: there is no such form
  keys.publicIds('order', 'crockford')
  // @ts-expect-error: only open and fromBytes make one
  new PublicIdKeys()
  return [...orders.encodeMany(ids), String(orders.encodeNumber(7n, 53)), keys.current]
}

export const leases: WorkerStore = {
  acquire: request => ({
    workerId: Math.min(request.reachMs, request.maxWorkerId), epoch: 1, floorMs: 0, reservedMs: 1n, nowMs: new Date(),
  }),
  renew: async (lease, nextToken, reserveMs) => {
    if (nextToken === '') throw new SnowmintError('lease_lost', `not after ${reserveMs} ms`)
    return { ...lease, nowMs: Date.now() }
  },
  release: () => {},
}

class Minter extends Snowflake {
  readonly shop = 'tea'
}

export async function extended(): Promise<string> {
  const policy = new engine.ClockPolicy({ name: 'own', maxAheadMs: 0, whenBehind: 'fail', whenFull: 'fail' })
  const [own, minter] = [await Minter.open(), await Minter.open({ workerId: 7, policy })]
  const alike: boolean = own.layout.equals(minter.layout)
  return `${own.shop}, ${minter.stats().reserveMs ?? alike}`
}

export function rest(error: unknown): ErrorCode | undefined {
  const machine = new engine.Snowflake({ layout: Layout.TWITTER, lane: { workerId: 378 }, start: 'rotate' })
  const buffer = new engine.SegmentBuffer({ step: { min: 10, max: 100n }, prefetch: { distance: 2 } })
  buffer.supply(new engine.Range(1, 10), new Date())
  const fit = new Layout('time:41,worker:10,sequence:12', { epochMs: new Date(0), tickMs: 10 }).fits(63)
  if (typeof fit !== 'boolean') console.log(fit.until)
  console.log(machine.issue(3, 1_656_432_460_105), guess('1541815603606036480')[0]?.parts.workerId)
  console.log(format(1n, 'hex'), parse('7', 'dec'), detect('7'), textForms().length, errorCodes.length)
  console.log(stringify({ id: 1n }), snowmint.version, new Snowflake({ workerId: 'env', layout: 'discord' }).closed)
  if (error instanceof SnowmintError) {
    const action = engine.policies[0]?.action(error)
    if (action?.kind === 'wait') console.log(action.waitMs)
    return error.code
  }
  // @ts-expect-error: a number loses digits
  format(1541815603606036480)
  // @ts-expect-error: no such option
  new Snowflake({ worker: 7 })
  // @ts-expect-error: opened by open
  new Store()
  return undefined
}
