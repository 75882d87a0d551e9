// What users write, for the type checker: CommonJS.
import snowmint = require('snowmint')

export async function mint(): Promise<bigint> {
  const flake = await snowmint.open('snowflake+sqlite:ids.db?create=true')
  const id: bigint = flake.nextId()
  flake.close()
  return id
}
