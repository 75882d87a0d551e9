// The server's events.

import { after } from './model.js'

/**
 * The silence after which the server, or the network, is considered down. An event comes twice a
 * second.
 */
const SILENT_MS = 5000

/**
 * Follows the server. Calls `show` with the state after each event, and `tell` with whether events
 * come.
 */
export function follow(show, tell) {
  let known = null
  let silence
  const wait = () => {
    clearTimeout(silence)
    silence = setTimeout(() => tell(false), SILENT_MS)
  }
  const events = new EventSource('admin/events')
  wait()
  for (const name of ['state', 'changes']) {
    events.addEventListener(name, ({ data }) => {
      known = after(known, name, JSON.parse(data))
      wait()
      tell(true)
      show(known)
    })
  }
  events.addEventListener('error', () => {
    clearTimeout(silence)
    tell(false)
    // The server refused for good, for example because too many pages are open. The browser does
    // not ask again by itself then.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => follow(show, tell), 3000)
  })
  // A page that nobody sees needs no events, and lets the server rest.
  addEventListener('pagehide', () => {
    clearTimeout(silence)
    events.close()
  })
}
