import type { LeaseClient } from './index.js'

/** What leases worker IDs, fetches numbers and opens URLs, for `init` where `import()` is forbidden. */
declare const lease: LeaseClient
export default lease
