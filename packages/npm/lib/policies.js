'use strict'
// Clock policies, and the limits that apply in every language.

const native = require('./native.js')
const check = require('./arguments.js')
const { SnowmintError, numberOf } = require('./errors.js')
const { table } = require('./tables.js')

class ClockPolicy {
  constructor(policy) {
    const checked = check.options(policy, {
      name: check.text,
      maxAheadMs: check.narrow,
      whenBehind: check.text,
      maxWaitMs: check.narrow,
      whenFull: check.text,
    }, 'the policy')
    for (const key of NEEDED) check.needed(checked, key, 'a policy')
    Object.freeze(Object.assign(this, checked))
    // This throws for unknown rules.
    actionOf(this, numberOf('sequence_exhausted'), 0)
  }

  action(stall) {
    const { number, waitMs = 0 } = check.instance(stall, SnowmintError, 'stall')
    return actionOf(this, number, waitMs)
  }
}

const NEEDED = ['name', 'maxAheadMs', 'whenBehind', 'whenFull']

function actionOf(policy, number, waitMs) {
  return native.policyAction({ maxWaitMs: 0, ...policy }, number, BigInt(waitMs))
}

const policies = table(() => native.policies().map(row => new ClockPolicy(row)))
const limits = table(() => native.limits(), {})

/** Returns a policy, given as such or by its name. */
function policyOf(policy) {
  if (policy instanceof ClockPolicy) return policy
  check.typed(typeof policy === 'string', 'policy', 'a ClockPolicy or its name', policy)
  const known = policies.find(({ name }) => name === policy)
  if (known !== undefined) return known
  throw check.impossible('policy', policy, `one of ${policies.map(({ name }) => name).join(', ')}`)
}

module.exports = { ClockPolicy, limits, policies, policyOf }
