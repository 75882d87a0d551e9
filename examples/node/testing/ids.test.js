import { randomUUID } from 'node:crypto'
import { engine, open } from 'snowmint'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let store
beforeEach(() => { store = `memory:${randomUUID()}` })
afterEach(() => { vi.useRealTimers() })

test('orders are numbered from 1', async () => {
  const orders = await open(`segment+${store}?tag=orders`)
  expect([await orders.nextIdAsync(), await orders.nextIdAsync()]).toEqual([1n, 2n])
})

test('fake timers do not change IDs', async () => {
  const flake = await open(`snowflake+${store}`)
  vi.useFakeTimers({ now: new Date('2012-01-14') })
  const { time } = flake.layout.decode(await flake.nextIdAsync())
  expect(time.getFullYear()).toBeGreaterThan(2012)
})

test('a time of yours gives exact IDs', () => {
  const machine = new engine.Snowflake({ layout: 'twitter', lane: { workerId: 378 } })
  expect(machine.nextId(1_656_432_460_105)).toBe(1541815603606036480n)
})
