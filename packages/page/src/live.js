// The server's events.

import { after } from './model.js'

/** Follows the server: `show` has the state after each event, `tell` whether it is heard. */
export function follow(show, tell) {
  let known = null
  const events = new EventSource('admin/events')
  for (const name of ['state', 'changes']) {
    events.addEventListener(name, ({ data }) => {
      known = after(known, name, JSON.parse(data))
      tell(true)
      show(known)
    })
  }
  events.addEventListener('error', () => {
    tell(false)
    // Refused for good, as where too many look: the browser does not ask again by itself.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => follow(show, tell), 3000)
  })
  // A page that nobody sees needs none, and lets the server rest.
  addEventListener('pagehide', () => events.close())
}
