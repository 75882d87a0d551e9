// Packages that Node users take for IDs today: a function for one ID each, as its README says.

import { randomUUID } from 'node:crypto'
import { SnowflakeId as akash } from '@akashrajpurohit/snowflake-id'
import { TwitterSnowflake } from '@sapphire/snowflake'
import { Snowflake as Skorotkiewicz } from '@skorotkiewicz/snowflake-id'
import { Snowflake as InternetFolks } from '@theinternetfolks/snowflake'
import FlakeIdGen from 'flake-idgen'
import Hashids from 'hashids'
import hyperid from 'hyperid'
import { nanoid } from 'nanoid'
import { Snowflake as NodejsSnowflake } from 'nodejs-snowflake'
import { SnowflakeIdv1 } from 'simple-flakeid'
import SnowflakeId from 'snowflake-id'
import Snowflakify from 'snowflakify'
import { Epoch, Snowyflake } from 'snowyflake'
import Sqids from 'sqids'
import { monotonicFactory, ulid } from 'ulid'
import { v4, v7 } from 'uuid'

function made(name, make) {
  try {
    return [name, make()]
  } catch (error) {
    console.error(`${name}: not measured: ${error.message}`)
    return undefined
  }
}

export const peers = [
  made('crypto.randomUUID', () => () => randomUUID()),
  made('nanoid', () => () => nanoid()),
  made('uuid v4', () => () => v4()),
  made('uuid v7', () => () => v7()),
  made('ulid', () => () => ulid()),
  made('ulid, monotonic', () => monotonicFactory()),
  // A random prefix and a counter, 33 characters: neither an ID of 64 bits nor one with a time.
  made('hyperid', () => {
    const instance = hyperid()
    return Object.assign(() => instance(), { otherKind: true })
  }),
  made('@sapphire/snowflake', () => () => TwitterSnowflake.generate()),
  made('flake-idgen', () => {
    const generator = new FlakeIdGen()
    return () => {
      for (;;) {
        try {
          return generator.next()
        } catch {
          // A full millisecond is an error: ask until the next one.
        }
      }
    }
  }),
  made('nodejs-snowflake', () => {
    const generator = new NodejsSnowflake({ instance_id: 1 })
    return () => generator.getUniqueID()
  }),
  made('snowflake-id', () => {
    const generator = new (SnowflakeId.default ?? SnowflakeId)({ mid: 42 })
    return () => generator.generate()
  }),
  made('snowyflake', () => {
    const generator = new Snowyflake({ workerId: 1n, epoch: Epoch.Twitter })
    return () => generator.nextId()
  }),
  made('simple-flakeid', () => {
    const generator = new SnowflakeIdv1({ workerId: 1 })
    return () => generator.NextBigId()
  }),
  made('snowflakify', () => {
    const generator = new Snowflakify({ preset: 'worker_process' })
    return () => generator.nextId()
  }),
  made('@theinternetfolks/snowflake', () => () => InternetFolks.generate()),
  made('@akashrajpurohit/snowflake-id', () => {
    const generator = akash({ workerId: 1 })
    return () => generator.generate()
  }),
  made('@skorotkiewicz/snowflake-id, awaited', () => {
    const generator = new Skorotkiewicz(1)
    return Object.assign(() => generator.generate(), { awaited: true })
  }),
].filter(Boolean)

const NUMBERS = Array.from({ length: 1024 }, (_, at) => 2 ** 52 + at)

/** Packages that make another text of a number: a function, and what it is called with. */
export const publicPeers = [
  made('hashids', () => {
    const hashids = new Hashids('salt')
    return { values: NUMBERS, call: id => hashids.encode(id) }
  }),
  made('hashids, bigint', () => {
    const hashids = new Hashids('salt')
    return { values: NUMBERS.map(id => BigInt(id) << 8n), call: id => hashids.encode(id) }
  }),
  // Numbers alone: an ID of 64 bits is none.
  made('sqids', () => {
    const sqids = new Sqids()
    return { values: NUMBERS, call: id => sqids.encode([id]) }
  }),
].filter(Boolean)
