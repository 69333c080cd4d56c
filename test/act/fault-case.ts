import { stateOf } from '@septet/domain'

import { acting, store } from './on-demo.ts'
import type { ActingDemo } from './acting-demo.ts'
import { flawsOf } from './kill-case.ts'
import { proposed, someCut } from './runs.ts'

type Fault = Parameters<ActingDemo['demo']['faults']['add']>[0]
type FaultCase = readonly [kind: Fault['kind'], detail: Partial<Fault>, ends: 'kept' | 'reverted', words: RegExp]

/** These faults on a cut that displaces a pod, how it ends, and what its journal says. */
export const REPRESENTATIVE: readonly FaultCase[] = [
  ['mig-failed', {}, 'reverted', /failed to partition/u],
  ['late-device-plugin', { seconds: 30 }, 'kept', /Nothing got worse/u],
  ['answer-lost', { times: 3 }, 'kept', /Nothing got worse/u],
]
export const OTHERS: readonly FaultCase[] = [
  ['mig-stuck-pending', {}, 'reverted', /Given up after 2 minutes/u],
  ['mig-reboot', {}, 'kept', /Nothing got worse/u],
  ['slow-mig', { seconds: 60 }, 'kept', /Nothing got worse/u],
  ['ignores-sigterm', {}, 'kept', /Nothing got worse/u],
  ['budget-never-allows', { seconds: 30 }, 'kept', /Nothing got worse/u],
  ['api-409', { times: 3 }, 'kept', /Nothing got worse/u],
  ['api-429', { times: 3, seconds: 2 }, 'kept', /Nothing got worse/u],
  ['api-500', { times: 3 }, 'kept', /Nothing got worse/u],
  ['config-race', {}, 'kept', /Nothing got worse/u],
  ['watch-cut', {}, 'kept', /Nothing got worse/u],
]

export async function meetFault([kind, detail]: FaultCase) {
  const plan = await someCut(acting, 1)
  const before = await acting.read()
  acting.demo.faults.add({ kind, ...detail })
  const run = await proposed(store.actions, plan, { now: acting.now() })
  const over = await acting.until(run.id, ['kept', 'reverted', 'failed'], [acting.actor({ watchMs: 10_000 })])
  return {
    ends: stateOf(over).state,
    says: over.transitions.map(({ state, because }) => `${state}: ${because}`).join('\n'),
    flaws: await flawsOf(acting, { run: over, before }),
  }
}
