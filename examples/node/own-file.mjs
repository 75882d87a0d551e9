// --8<-- [start:open]
import { open } from 'snowmint'

const flake = await open()
console.log(flake.nextIdString(), 'by a worker ID of', flake.file)
flake.close()
// --8<-- [end:open]
