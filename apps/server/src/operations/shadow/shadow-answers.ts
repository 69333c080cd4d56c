import type { OutputOf, shadowGet } from '@septet/contract'
import {
  DAY_MS,
  HOUR_MS,
  instant,
  isWrong,
  NOT_REPLAYED,
  outcomeWords,
  REPLAYS,
  shadowWords,
  type ShadowAction,
  type ShadowMonth,
  spanOfRange,
  type Store,
  type TimeRange,
  type Window,
} from '@septet/domain'
import { CLASSES } from '@septet/domain/action-classes'

import type { ClusterFacts } from '../../facts.ts'
import { readActPolicy } from '../../act-policies.ts'
import { readPolicies } from '../../policies.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { answeredFrom, answeredOver } from '../answering/source.ts'
import { isoOf, windowView } from '../answering/view.ts'
import type { Replayed } from './replay-history.ts'
import type { ShadowService } from './shadow-service.ts'

type View = OutputOf<typeof shadowGet>
type Result = NonNullable<View['result']>
type Needs = { readonly store: Store; readonly now: () => number; readonly shadow: ShadowService }

/** What Septet would have done by itself in the last days. */
export const shadowAnswers = ({ store, now, shadow }: Needs): AnswersOf<'shadow'> => ({
  async shadowGet(cluster, input) {
    const { record } = cluster
    const { class: kind, days } = input
    const [act, policies, prices] = await Promise.all([
      readActPolicy(store.settings, record),
      readPolicies(store.settings),
      store.prices.list(),
    ])
    // What is replayed while the past is still being read is replayed again once it is there.
    const { done = 0, of = 0 } = cluster.history() ?? {}
    const rules = [act.policy, policies, prices, done < of]
    const at = instant(now())
    const window = input.range && wholeHours(spanOfRange(input.range, at))
    const lastDays = { kind: 'custom', window: { from: instant(at - days * DAY_MS), to: at } } as const
    const asked = window === undefined ? ({ kind: 'days', days } as const) : ({ kind: 'window', window } as const)
    const state = await shadow.get({ record, class: kind, asked, now: at }, rules)
    return {
      ...headOf(cluster, state.kind === 'ready' ? state.replay.month.recorded : undefined, input.range ?? lastDays),
      notReplayed: NOT_REPLAYED.map((each) => ({ ...each })),
      notes: [...REPLAYS[kind].notes],
      days: window === undefined ? days : Math.ceil((window.to - window.from) / DAY_MS),
      ...stateView(state, window !== undefined),
    }
  },
})

const headOf = (cluster: ClusterFacts, window: Window | undefined, range: TimeRange) =>
  window === undefined ? answeredFrom(cluster, undefined) : answeredOver(cluster, { range, window, madeAt: window.to })

const stateView = (
  state: Awaited<ReturnType<ShadowService['get']>>,
  isRange: boolean,
): Pick<View, 'state' | 'done' | 'problem' | 'result'> => ({
  state: state.kind,
  done: state.kind === 'computing' ? state.done : 1,
  problem:
    state.kind === 'failed'
      ? `The past could not be replayed: ${state.problem} Try again; everything else still works.`
      : null,
  result: state.kind === 'ready' ? resultView(state.replay, isRange) : null,
})

/** The hours that lie in it whole: asked for again within the hour, it is the same time. */
const wholeHours = ({ from, to }: Window): Window => ({
  from: instant(Math.ceil(from / HOUR_MS) * HOUR_MS),
  to: instant(Math.floor(to / HOUR_MS) * HOUR_MS),
})

function resultView({ month, digest, objects }: Replayed, isRange: boolean): Result {
  const { recorded, actions, withdrawn, heldBack, totals } = month
  const { effect } = CLASSES[month.class]
  return {
    class: month.class,
    effect,
    of: effect === 'bill-reduced' ? 'node' : 'workload',
    says: shadowWords(month, isRange),
    recorded: recorded === undefined ? null : windowView(recorded),
    objects,
    actions: actions.map(actionView),
    withdrawn,
    heldBack: heldBack.map((each) => ({ ...each })),
    totals: {
      ...freedView(totals),
      objects: totals.objects,
      wrong: totals.wrong,
      outcomes: { ...totals.outcomes },
    },
    digest,
  }
}

const actionView = (action: ShadowAction): Result['actions'][number] => ({
  object: action.object,
  title: action.title,
  message: action.message,
  rule: { ...action.rule },
  proposedAt: isoOf(action.proposedAt),
  doneAt: isoOf(action.doneAt),
  pods: action.pods,
  gpus: action.gpus,
  nodes: [...action.nodes],
  confidence: action.confidence,
  evidence: {
    ...action.evidence,
    window: { from: isoOf(action.evidence.window.from), to: isoOf(action.evidence.window.to) },
    figures: { ...action.evidence.figures },
  },
  outcome: {
    kind: action.outcome.kind,
    at: isoOf(action.outcome.at),
    isWrong: isWrong(action.outcome),
    says: outcomeWords(action),
  },
  freed: freedView(action.freed),
})

const freedView = ({ gpuHours, usd, unpriced, unknownHours }: ShadowMonth['totals'] | ShadowAction['freed']) => ({
  gpuHours,
  usd: usd ?? null,
  unpricedGpuHours: unpriced,
  unknownHours,
})
