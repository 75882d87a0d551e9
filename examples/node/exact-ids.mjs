import { engine } from 'snowmint'

const flake = new engine.Snowflake({ layout: 'twitter', lane: { workerId: 378 } })
console.log(flake.nextId(1_656_432_460_105)) // 1541815603606036480n
