// node:test, as far as the vectors' tests use it, for pages.

const passed = []
const failed = []
let last = Promise.resolve()

export function test(name, work) {
  last = last.then(work).then(
    () => passed.push(name),
    error => failed.push(`${name}: ${error.stack ?? error}`),
  )
}

/** The names of the tests that passed, and what failed. */
export async function outcome() {
  await last
  return { passed, failed }
}
