import type { OutputOf, shadowGet } from '@septet/contract'
import {
  instant,
  NOT_REPLAYED,
  outcomeWords,
  SHADOW_NOTES,
  shadowWords,
  type ShadowAction,
  type ShadowMonth,
  type Store,
} from '@septet/domain'

import { readActPolicy } from '../../act-policies.ts'
import { readPolicies } from '../../policies.ts'
import type { Answering } from '../answering/answering.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf, windowView } from '../answering/view.ts'
import type { Replay } from './replay-history.ts'
import type { ShadowService } from './shadow-service.ts'

type View = OutputOf<typeof shadowGet>
type Result = NonNullable<View['result']>
type Needs = { readonly store: Store; readonly now: () => number; readonly service: ShadowService }

/** What Septet would have done by itself in the last days. */
export const shadowAnswers = (answer: Answering, { store, now, service }: Needs) => ({
  shadowGet: answer.ofCluster('shadowGet', async (cluster, { days }): Promise<View> => {
    const { record } = cluster
    const [act, policies, prices] = await Promise.all([
      readActPolicy(store.settings, record),
      readPolicies(store.settings),
      store.prices.list(),
    ])
    // What is replayed while the past is still being read is replayed anew once it is there.
    const { done = 0, of = 0 } = cluster.history() ?? {}
    const rules = [act.policy, policies, prices, done < of]
    const state = await service.get({ record, days, now: instant(now()) }, rules)
    const replay = state.kind === 'ready' ? state.replay : undefined
    return {
      ...answeredFrom(cluster, replay?.month.recorded),
      ...FIXED,
      state: state.kind,
      days,
      done: state.kind === 'computing' ? state.done : 1,
      problem:
        state.kind === 'failed'
          ? `The past could not be replayed: ${state.problem} Ask again; the rest goes on.`
          : null,
      result: replay === undefined ? null : resultView(replay),
    }
  }),
})

const FIXED = { notReplayed: NOT_REPLAYED.map((each) => ({ ...each })), notes: [...SHADOW_NOTES] }

function resultView({ month, digest, workloads }: Replay): Result {
  const { recorded, actions, withdrawn, heldBack, totals } = month
  return {
    class: month.class,
    says: shadowWords(month),
    recorded: recorded === undefined ? null : windowView(recorded),
    workloads,
    actions: actions.map(actionView),
    withdrawn,
    heldBack: heldBack.map((each) => ({ ...each })),
    totals: { ...freedView(totals), workloads: totals.workloads, outcomes: { ...totals.outcomes } },
    digest,
  }
}

const actionView = (action: ShadowAction): Result['actions'][number] => ({
  workload: action.workload,
  title: action.title,
  message: action.message,
  rule: { ...action.rule },
  proposedAt: isoOf(action.proposedAt),
  stoppedAt: isoOf(action.stoppedAt),
  pods: action.pods,
  gpus: action.gpus,
  nodes: [...action.nodes],
  confidence: action.confidence,
  evidence: {
    ...action.evidence,
    window: { from: isoOf(action.evidence.window.from), to: isoOf(action.evidence.window.to) },
    figures: { ...action.evidence.figures },
  },
  outcome: { kind: action.outcome.kind, at: isoOf(action.outcome.at), says: outcomeWords(action) },
  freed: freedView(action.freed),
})

const freedView = ({ gpuHours, usd, unpriced, unknownHours }: ShadowMonth['totals'] | ShadowAction['freed']) => ({
  gpuHours,
  usd: usd ?? null,
  unpricedGpuHours: unpriced,
  unknownHours,
})
