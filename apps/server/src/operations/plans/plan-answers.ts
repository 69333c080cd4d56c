import type { MadePlan } from '@septet/contract'
import type { Store } from '@septet/domain'

import type { AnswersOf } from '../answering/answering.ts'
import { openBackground } from '../background/background-service.ts'
import { makeLivePlan } from './live-plan.ts'

/** A plan takes moments where it is computed with its cluster, one after the other there; so many are waited for at once. */
const AT_ONCE = 4

type Needs = {
  readonly store: Pick<Store, 'actions' | 'prices' | 'recommendations'>
  readonly now: () => number
}

/** Plans for every goal, made in the background. */
export function planAnswers({ store, now }: Needs): AnswersOf<'plans'> {
  const plans = openBackground<MadePlan>({ noun: 'plan', atOnce: AT_ONCE, now })
  return {
    plansMake(facts, { wait, cluster: _cluster, ...wish }, { caller, listening }) {
      const made = (signal: AbortSignal, progress: (done: number, of: number) => void) =>
        makeLivePlan(facts, { ...store, signal, progress: ({ done, of }) => progress(done, of) }, wish)
      const { id } = plans.start(caller, made, listening.signal)
      return plans.settled(caller.id, id, wait)
    },
    plansGet: ({ id, wait }, { caller }) => plans.settled(caller.id, id, wait),
    plansCancel({ id }, { caller }) {
      plans.cancel(caller.id, id)
      return { cancelled: id }
    },
  }
}
