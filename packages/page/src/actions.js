// The operator's actions. Each sends one request, and explains what it does.

import { grouped } from '../../explorer/src/moments.js'

/** The limits, the same as the server's. */
const LARGEST = (1n << 63n) - 2n
const STEP = { least: 1n, most: 1n << 30n }
const TAG = /^(?=.{1,64}$)([\w.:-]+\/)?[\w.:-]+$/

/** Returns the server's answer. Throws the server's message if it refuses. */
export async function ask(path, body) {
  const posted = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  let answer
  try {
    answer = await fetch(path, posted)
  } catch {
    throw new Error('The server does not answer.')
  }
  const text = await answer.text()
  let data
  try {
    data = JSON.parse(text)
  } catch {
    throw new Error(`The server answers with status ${answer.status}, and no JSON.`)
  }
  if (!answer.ok) throw new Error(`${data.detail ?? answer.status} (${data.code})`)
  return data
}

/** Returns the rows of a store: `tags` or `workers`. */
export async function rowsOf(kind, store, tag) {
  const query = new URLSearchParams(tag === undefined ? { store } : { store, tag })
  return (await ask(`admin/${kind}?${query}`))[kind]
}

/** Returns the action that creates a tag in a store. */
export function creating(store) {
  return {
    title: 'Create a tag',
    fields: [
      {
        name: 'tag',
        label: 'Name',
        form: TAG,
        words: 'up to 64 letters, digits and _ . : -, or such a name behind a namespace and a slash',
        required: true,
      },
      {
        name: 'start',
        label: 'First number',
        value: '1',
        digits: { least: 0n, most: LARGEST },
        required: true,
      },
      { name: 'step', label: 'Step: numbers of a range', value: '1000', digits: STEP, required: true },
    ],
    says: ({ tag, start, step }) =>
      `${tag || 'The tag'} is added to ${store}: its numbers begin at ${shown(start)}, and a ` +
      `range has ${shown(step)} of them. A tag cannot be removed. Clients get its numbers by a ` +
      'source of this server: add one to the configuration, and reload.',
    verb: ({ tag }) => `Create ${tag || 'the tag'}`,
    send: values => ask('admin/tags/create', { store, ...values }),
    done: row => `${row.tag} is there: its next number is ${grouped(row.next)}.`,
  }
}

/** Returns the action that changes the step or end of a tag, whose row is known. */
export function changing(store, { tag, step, stride, next, max }) {
  // No number above this may have been given.
  const least = BigInt(next) > BigInt(stride) ? BigInt(next) - BigInt(stride) : 0n
  return {
    title: `Change ${tag}`,
    fields: [
      { name: 'step', label: 'Step: numbers of a range', value: String(step), digits: STEP, required: true },
      {
        name: 'max',
        label: 'Largest number',
        value: BigInt(max) < LARGEST ? max : '',
        digits: { least, most: LARGEST },
      },
    ],
    says: ({ step: wanted, max: end }) =>
      `The ranges of ${tag} have ${shown(wanted)} numbers from the next one on, on every server ` +
      `(now ${grouped(step)}). ` +
      (end ? `After ${shown(end)} it gives nothing.` : 'Its largest number stays as it is.'),
    verb: () => `Change ${tag}`,
    send: ({ step: wanted, max: end }) =>
      ask('admin/tags/change', { store, tag, step: wanted, ...(end && { max: end }) }),
    done: row => `${row.tag} has a step of ${grouped(row.step)}.`,
  }
}

/** Returns the action that makes a tag go on above a number. A tag never goes back. */
export function raising(store, { tag, next, max }) {
  return {
    title: `Raise ${tag}`,
    fields: [
      {
        name: 'above',
        label: 'Go on above',
        value: next,
        digits: { least: 0n, most: BigInt(max) },
        required: true,
      },
    ],
    says: ({ above }) =>
      BigInt(above) >= BigInt(next)
        ? `The next range of ${tag} begins above ${shown(above)}. The numbers from ` +
          `${grouped(next)} on up to there are never given, and this cannot be undone. ` +
          'What servers have at hand is given first.'
        : `${tag} goes on at ${grouped(next)} already: nothing changes.`,
    verb: () => `Raise ${tag}`,
    send: ({ above }) => ask('admin/tags/raise', { store, tag, above }),
    done: row => `The next number of ${row.tag} is ${grouped(row.next)}.`,
  }
}

/** Returns the action that ends a lease whose holder is gone. */
export function evicting(store, { realm, worker_id: worker, owner, expires, reserved }) {
  return {
    title: `End the lease of worker ID ${worker}`,
    fields: [],
    says: () =>
      `Worker ID ${worker} in ${realm} is held by ${owner} until ${expires}, and longer if it ` +
      'renews. Once the lease is ended, no ID can repeat: the time ' +
      `up to ${reserved} stays reserved for the present holder. The next one begins after it, and ` +
      'can take the worker ID when that is at most its max_ahead_ms away. If the holder still lives, its next renewal fails and it takes another worker ID.',
    verb: () => `End the lease of ${worker}`,
    send: () => ask('admin/workers/evict', { store, realm, worker_id: worker }),
    done: row => `Worker ID ${row.worker_id} is ${row.held ? 'held' : 'free'}.`,
  }
}

/** Returns the action that reads the configuration again. */
export function reloading() {
  return {
    title: 'Reload the configuration',
    fields: [],
    says: () =>
      'The file of settings, and the files of tokens and certificates that it names, are read ' +
      'again: whole, or not at all. Sources that are the same go on; new ones are opened; those ' +
      'that are gone are closed.',
    verb: () => 'Reload',
    send: () => ask('admin/reload', {}),
    done: () => 'The configuration was read again.',
  }
}

function shown(text) {
  return grouped(BigInt(text))
}
