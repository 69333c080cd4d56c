import type { Recommendation } from '../../plan/recommend/recommendation.ts'
import { instant, type Instant } from '../../units.ts'
import { type ActionRun, type RunState, stateOf, type Transition } from '../action-run.ts'
import { type ActPolicy, classOf } from '../policy/act-policy.ts'
import type { ShadowClass } from './shadow.ts'

/** A run as it would have been, had its class been on auto. */
export function shadowRun(advice: Recommendation, number: number, now: Instant): ActionRun {
  const { plan, kind, cluster, object, title, message } = advice
  const proposed: Transition = { number: 1, at: now, state: 'proposed', by: 'septet', because: message }
  return {
    id: `shadow-${number}`,
    cluster,
    class: classOf({ class: kind, plan }),
    object,
    title,
    recommendation: advice,
    plan,
    // Nobody else proposes here, so its name is as good as its content.
    digest: plan.id,
    proposedAt: now,
    proposedBy: 'septet',
    proposer: 'septet',
    transitions: [proposed],
  }
}

/** The run some states further, each reached by Septet at that moment. */
export function gone(run: ActionRun, states: readonly RunState[], at: Instant): ActionRun {
  const { transitions } = run
  const more = states.map((state, order): Transition => ({
    number: transitions.length + order + 1,
    at,
    state,
    by: 'septet',
    because: '',
  }))
  return { ...run, transitions: [...transitions, ...more] }
}

/** What was stopped is kept once it was watched for long enough: whether the cluster got worse is not recorded. */
export function watched(run: ActionRun, { watch }: Pick<ActPolicy, 'watch'>, now: Instant): ActionRun {
  const { state, at } = stateOf(run)
  const until = instant(at + watch * 1000)
  return state === 'verified' && until <= now ? gone(run, ['kept'], until) : run
}

/** The policy as if one class were on auto, and nobody had halted it or let it go on. */
export const asOnAuto = (policy: ActPolicy, kind: ShadowClass): ActPolicy => ({
  ...policy,
  modes: { ...policy.modes, [kind]: 'auto' },
  auto: { ...policy.auto, classes: [kind], resumedAt: {} },
})
