import { AUTO_CLASSES, type ActionClass, type AutoClass } from '@septet/domain/action-classes'
import type { Answer } from '../../../api.ts'

export type PolicyView = Answer<'actPoliciesGet'>
export type ShownPolicy = PolicyView['policy']
export type Mode = ShownPolicy['modes'][AutoClass]
export type Limits = ShownPolicy['limits']['run']
export type MaintenanceWindow = ShownPolicy['windows'][number]

/** Lets a class do that much. One that is put on auto also joins the list of those that may be, and leaves it with auto. */
export function withMode(policy: ShownPolicy, kind: ActionClass, mode: Mode): ShownPolicy {
  const own = AUTO_CLASSES.filter((each) => each === kind)
  if (mode === 'auto' && own.length === 0) return policy
  const others = policy.auto.classes.filter((each) => each !== kind)
  return {
    ...policy,
    modes: { ...policy.modes, [kind]: mode },
    auto: { ...policy.auto, classes: mode === 'auto' ? [...others, ...own] : others },
  }
}

/** Whether a change of a class needs a yes from two people. */
export function withTwoPeople(policy: ShownPolicy, kind: ActionClass, needed: boolean): ShownPolicy {
  const others = policy.twoPeople.filter((each) => each !== kind)
  return { ...policy, twoPeople: needed ? [...others, kind] : others }
}

/** Lets a class go on after a setback from that instant on, an ISO text; undefined: as it was. */
export function withResumed(policy: ShownPolicy, kind: ActionClass, at: string | undefined): ShownPolicy {
  const { [kind]: _before, ...others } = policy.auto.resumedAt
  return { ...policy, auto: { ...policy.auto, resumedAt: at === undefined ? others : { ...others, [kind]: at } } }
}
