// Counts by ioredis: HOST PORT. Each number is on a line of its own.
import { Redis } from "ioredis";

const [host, port] = process.argv.slice(2);
// A snowflake is no number of JavaScript.
const client = new Redis({ host, port: Number(port), stringNumbers: true });
console.log(await client.incr("orders"));
console.log(await client.incrby("orders", 10));
const pipeline = client.pipeline();
for (let count = 0; count < 100; count += 1) pipeline.incr("orders");
const replies = await pipeline.exec();
replies.forEach(([error, number]) => console.log(error ?? number));
const [[, next]] = await client.multi().incr("orders").expire("orders", 86_400).exec();
console.log(next);
console.log(await client.get("orders"));
console.log(await client.incr("ids"));
await client.quit();
