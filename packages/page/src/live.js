// The server's events.

import { after } from './model.js'

/** An event comes twice a second: a server that sends none for so long hangs, or what is in between. */
const SILENT_MS = 5000

/** Follows the server: `show` has the state after each event, `tell` whether it is heard. */
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
    // Refused for good, as where too many look: the browser does not ask again by itself.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => follow(show, tell), 3000)
  })
  // A page that nobody sees needs none, and lets the server rest.
  addEventListener('pagehide', () => {
    clearTimeout(silence)
    events.close()
  })
}
