// node:assert/strict, as far as the vectors' tests use it, for pages.

function fail(message) {
  throw new Error(message instanceof Error ? message.message : String(message))
}

function shown(value) {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
}

function equal(actual, expected, message = '') {
  if (!Object.is(actual, expected)) fail(`${message} ${shown(actual)} should be ${shown(expected)}`)
}

function isSame(one, other) {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  return keys.length === others.length && keys.every(key => Object.hasOwn(other, key) && isSame(one[key], other[key]))
}

function deepEqual(actual, expected, message = '') {
  if (!isSame(actual, expected)) fail(`${message} ${shown(actual)} should be ${shown(expected)}`)
}

function ok(value, message = 'not true') {
  if (!value) fail(message)
}

function throws(call, expected, message = '') {
  let thrown
  try {
    call()
  } catch (error) {
    thrown = error
  }
  if (thrown === undefined) fail(`${message} nothing was thrown by ${call}`)
  if (typeof expected === 'function') return equal(expected(thrown), true, message)
  for (const [key, value] of Object.entries(expected)) {
    const what = `${message} ${key} of ${thrown.stack}`
    if (value instanceof RegExp) ok(value.test(thrown[key]), what)
    else equal(thrown[key], value, what)
  }
}

export default { deepEqual, equal, fail, ok, throws }
