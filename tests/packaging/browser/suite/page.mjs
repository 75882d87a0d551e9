// The use that every page makes of the package, whatever way it got there.

const ID = 1541815603606036480n

export async function use(snowmint) {
  const { Layout, Snowflake, decode, engine, format, guess, init, parse } = snowmint
  await init()
  const { time, workerId } = decode(ID).parts
  const flake = new Snowflake({ workerId: 'random' })
  const ids = [flake.nextId(), ...flake.nextIds(1000)]
  flake.close()
  return {
    backend: snowmint.backend,
    time: time.toISOString(),
    workerId,
    discord: Layout.DISCORD.decode('175928847299117063').workerId,
    guess: guess(ID)[0].name,
    text: format(ID, 'base32'),
    parsed: String(parse(format(ID, 'base58'), 'base58')),
    minted: String(new engine.Snowflake({ lane: { workerId: 378 } }).nextId(1_656_432_460_105)),
    rising: ids.every((id, at) => at === 0 || id > ids[at - 1]),
    number: Layout.COSID_JS_MS.toNumber(Layout.COSID_JS_MS.minId(Date.UTC(2026, 0))),
  }
}

export const EXPECTED = {
  backend: 'wasm',
  time: '2022-06-28T16:07:40.105Z',
  workerId: 378,
  discord: 32,
  guess: 'twitter',
  text: '1ASD13XH1F800',
  parsed: '1541815603606036480',
  minted: '1541815603606036480',
  rising: true,
}
