'use strict'
// Clock policies, and the limits that everybody keeps.

const native = require('./native.js')
const check = require('./arguments.js')
const { SnowmintError } = require('./errors.js')
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
    for (const key of ['whenBehind', 'whenFull']) check.needed(checked, key, 'a policy')
    Object.freeze(Object.assign(this, checked))
  }

  action(stall) {
    const { number, waitMs = 0 } = check.instance(stall, SnowmintError, 'stall')
    return native.policyAction({ maxWaitMs: 0, ...this }, number, BigInt(waitMs))
  }
}

const policies = table(() => native.policies().map(row => new ClockPolicy(row)))
const limits = table(() => native.limits(), {})

module.exports = { ClockPolicy, limits, policies }
