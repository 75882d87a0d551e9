// --8<-- [start:layouts]
import { Layout, decode, format, guess, parse } from 'snowmint'

const { time, workerId } = Layout.DISCORD.decode('175928847299117063')
console.log(time.toISOString(), workerId) // 2016-04-30T11:18:25.796Z 32
console.log(Layout.DISCORD.workerParts(workerId)) // { worker: 1, process: 0 }
const first = Layout.DISCORD.minId(Date.UTC(2026, 0)) // the bound for a page by time
// --8<-- [end:layouts]

// --8<-- [start:guess]
console.log(guess(1541815603606036480n)[0].name) // twitter
console.log(decode('175928847299117063', { beside: 'guild_id' }).name) // discord
// --8<-- [end:guess]

// --8<-- [start:text]
console.log(format(1541815603606036480n, 'base32')) // 1ASD13XH1F800
console.log(parse('1ASD13XH1F800', 'base32')) // 1541815603606036480n
// --8<-- [end:text]

// --8<-- [start:own]
const own = new Layout('time:39,worker:12,sequence:12', { epochMs: Date.UTC(2024, 0), tickMs: 10 })
console.log(own.encode({ time: Date.UTC(2025, 0), workerId: 9 })) // 53053583523876864n
console.log(own.expires.getUTCFullYear()) // 2198
// --8<-- [end:own]
