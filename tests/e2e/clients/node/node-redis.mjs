// Counts by node-redis: HOST PORT. Each number is on a line of its own.
import { createClient, RESP_TYPES } from "@redis/client";

const [host, port] = process.argv.slice(2);
const client = await createClient({ socket: { host, port: Number(port) } }).connect();
console.log(await client.incr("orders"));
console.log(await client.incrBy("orders", 10));
// Commands of one turn of the event loop go as a pipeline.
const numbers = await Promise.all(Array.from({ length: 100 }, () => client.incr("orders")));
numbers.forEach((number) => console.log(number));
const [next] = await client.multi().incr("orders").expire("orders", 86_400).exec();
console.log(next);
console.log(await client.get("orders"));
// A snowflake is no number of JavaScript.
const exact = client.withTypeMapping({ [RESP_TYPES.NUMBER]: String });
console.log(await exact.incr("ids"));
await client.close();
